// The exits by which bytes of the ledger left. This tells who used an address; no count of bytes depends on it.

/** The bytes of an entry that left by one exit. `address` is what targets saw; null: unknown. */
export interface ExitUse {
  exit: string;
  address: string | null;
  upBytes: bigint;
  downBytes: bigint;
}

/**
 * Distributes the bytes of an entry to exits, the latest first. A node reports again all that it has not seen confirmed, so when an answer was lost a part of
 * it is counted already, and the latest exits carried what is new. Each exit stays in the list, even with no bytes: a use is rather told twice than lost.
 */
export function exitUsesOf(entry: { up: bigint; down: bigint }, uses: readonly ExitUse[]): ExitUse[] {
  let { up, down } = entry;
  return uses
    .toReversed()
    .map((use) => {
      const [upBytes, downBytes] = [min(up, use.upBytes), min(down, use.downBytes)];
      up -= upBytes;
      down -= downBytes;
      return { ...use, upBytes, downBytes };
    })
    .toReversed();
}

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** The form in which the ledger stores it: [[exit, address, up, down], ...]. */
export const writeExits = (uses: readonly ExitUse[]): string =>
  `[${uses.map(({ exit, address, upBytes, downBytes }) => `[${JSON.stringify(exit)},${JSON.stringify(address)},${upBytes},${downBytes}]`).join(',')}]`;
