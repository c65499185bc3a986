// Limits the size of one exchange with the platform. The platform refuses larger ones, and then no report of this node would get through.
import type { LeasePart, LeaseReport } from './protocol/control-plane.ts';

const MAX_REPORTS = 2_000;
/** A part with several exits counts once for each of them. */
const MAX_PARTS = 20_000;
export const MAX_WANTS = 5_000;

/** The first items that fit into one exchange: always at least one, since a lease limits its parts. The rest waits for the next exchange. */
export function fitting<Item>(all: readonly Item[], reportOf: (item: Item) => LeaseReport): Item[] {
  let parts = 0;
  const sizeOf = (sum: number, { exits = [] }: LeasePart) => sum + 1 + Math.max(0, exits.length - 1);
  const end = all.findIndex((item, index) => (parts += reportOf(item).parts.reduce(sizeOf, 0)) > MAX_PARTS && index > 0);
  return all.slice(0, Math.min(end < 0 ? all.length : end, MAX_REPORTS));
}
