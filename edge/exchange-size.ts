// How much goes in one exchange with the platform, which refuses what is larger than it reads: then nobody of this node would be heard any more.
import type { LeasePart, LeaseReport } from './protocol/control-plane.ts';

const MAX_REPORTS = 2_000;
/** Parts, with the exits that are named of them. */
const MAX_PARTS = 20_000;
export const MAX_WANTS = 5_000;

/** The first of them that go together; one goes always, and a lease bounds its parts. The rest is for the next exchange. */
export function fitting<Item>(all: readonly Item[], reportOf: (item: Item) => LeaseReport): Item[] {
  let parts = 0;
  const sizeOf = (sum: number, { exits = [] }: LeasePart) => sum + 1 + Math.max(0, exits.length - 1);
  const end = all.findIndex((item, index) => (parts += reportOf(item).parts.reduce(sizeOf, 0)) > MAX_PARTS && index > 0);
  return all.slice(0, Math.min(end < 0 ? all.length : end, MAX_REPORTS));
}
