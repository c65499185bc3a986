import type { EdgeStatus } from '../../../../edge/protocol/control-plane.ts';

export interface PlaceFigures {
  country: string;
  /** Whose network it is; `none` where nobody has named it. */
  carrier: string;
  opened: number;
  faults: number;
  out: number;
}

/** What nodes that are not revoked said last of their exits, by place and provider. A node names those first that are out, then those that carry the most. */
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
