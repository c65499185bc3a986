// By which exits bytes of the ledger left: who used an address is read from it, and nothing is counted by it.

/** What of an entry left by one exit. The address is what targets saw; null: nobody told it. */
export interface ExitUse {
  exit: string;
  address: string | null;
  upBytes: bigint;
  downBytes: bigint;
}

/**
 * What of an entry's bytes left by which exit. The node tells what it has not seen confirmed; where an answer was lost a part of that is counted
 * already, and its latest exits are what is new. Each exit stays named, if with no bytes: a use is rather told twice than lost.
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

/** As the ledger stores it: [[exit, address, up, down], ...]. */
export const writeExits = (uses: readonly ExitUse[]): string =>
  `[${uses.map(({ exit, address, upBytes, downBytes }) => `[${JSON.stringify(exit)},${JSON.stringify(address)},${upBytes},${downBytes}]`).join(',')}]`;
