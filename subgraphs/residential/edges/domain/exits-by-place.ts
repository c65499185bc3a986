import type { EdgeStatus } from '../../../../edge/protocol/control-plane.ts';

export interface PlaceFigures {
  country: string;
  /** The provider of the exit's network; `none` where it is not configured. */
  carrier: string;
  opened: number;
  faults: number;
  out: number;
}

/**
 * Sums what nodes that are not revoked last reported of their exits, by country and provider. A node's report is limited in length: it names first the exits
 * that are out, then those that carry the most.
 */
export function exitsByPlace(nodes: readonly { revokedAt: Date | null; status: Pick<EdgeStatus, 'exits'> | null }[]): PlaceFigures[] {
  const exits = nodes.filter(({ revokedAt }) => revokedAt === null).flatMap(({ status }) => status?.exits ?? []);
  const places = Map.groupBy(exits, ({ country, carrier = 'none' }) => `${country} ${carrier}`);
  return [...places.values()].map((those) => ({
    country: those[0]?.country ?? '',
    carrier: those[0]?.carrier ?? 'none',
    opened: those.reduce((sum, { opened }) => sum + opened, 0),
    faults: those.reduce((sum, { faults }) => sum + faults, 0),
    out: those.filter(({ healthy }) => !healthy).length,
  }));
}
