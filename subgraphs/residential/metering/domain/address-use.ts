// Who used an address at a time, for complaints: rows of the ledger are put together as one use per plan, session, client and exit.
import ipaddr from 'ipaddr.js';

/** Bytes of one plan, session, client and target host through one exit. */
export interface AddressUseRow {
  planId: string;
  session: string | null;
  client: string | null;
  /** Null: unknown. */
  host: string | null;
  exit: string;
  /** Null: it is unknown which address targets saw. */
  address: string | null;
  firstAt: Date;
  lastAt: Date;
  upBytes: bigint;
  downBytes: bigint;
}

export type UsedHost = Pick<AddressUseRow, 'host' | 'firstAt' | 'lastAt' | 'upBytes' | 'downBytes'>;

export interface AddressUse extends Omit<AddressUseRow, 'host'> {
  /** The largest first. */
  hosts: UsedHost[];
}

/** An IP address in the spelling that nodes use in reports; the id of an exit unchanged. */
export const toUsedAddress = (text: string): string => (ipaddr.isValid(text.trim()) ? ipaddr.process(text.trim()).toString() : text.trim());

/** The largest first. */
export function usesOf(rows: readonly AddressUseRow[]): AddressUse[] {
  const uses = new Map<string, AddressUse>();
  for (const { planId, session, client, exit, address, host, firstAt, lastAt, upBytes, downBytes } of rows) {
    const key = JSON.stringify([planId, session, client, exit, address]);
    const use = uses.get(key) ?? { planId, session, client, exit, address, firstAt, lastAt, upBytes: 0n, downBytes: 0n, hosts: [] };
    uses.set(key, use);
    if (firstAt < use.firstAt) use.firstAt = firstAt;
    if (lastAt > use.lastAt) use.lastAt = lastAt;
    use.upBytes += upBytes;
    use.downBytes += downBytes;
    use.hosts.push({ host, firstAt, lastAt, upBytes, downBytes });
  }
  return [...uses.values()].toSorted((one, other) => Number(other.upBytes + other.downBytes - one.upBytes - one.downBytes));
}
