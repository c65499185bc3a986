// A gateway of another seller of proxies, as the desk sees it: what nodes are told of it, what it costs, its state.
import { because, fail } from '#platform/errors.ts';
import { type GatewayDefinition, gatewayShape } from '../../../../edge/protocol/gateway.ts';
import type { EdgeStatus, ExitStatus, PlaceStatus } from '../../../../edge/protocol/control-plane.ts';

export interface Gateway {
  definition: GatewayDefinition;
  enabled: boolean;
  costPerGbMinor: number;
  monthlyCapMinor: number | null;
  changedAt: Date;
  /** Bytes carried in the current UTC month. */
  monthBytes: bigint;
}

/** Throws `parameter_invalid` with the first mistake. */
export function toDefinition(given: unknown): GatewayDefinition {
  const { data, error } = gatewayShape.safeParse(given);
  if (data) return data;
  const [issue] = error.issues;
  const field = issue?.path.join('.') ?? '';
  throw fail('parameter_invalid', { field, reason: because('gateway_unfit', { words: `${field}: ${issue?.message ?? ''}` }) });
}

const GB = 1_000_000_000n;

/** The cost in whole cents, rounded half up. */
export const costOf = (bytes: bigint, perGbMinor: number): bigint => (bytes * BigInt(perGbMinor) + GB / 2n) / GB;

/** Whether so many bytes in a month reach its cap. Nodes are no longer told of such a gateway. */
export const isOverCap = (
  bytes: bigint,
  { costPerGbMinor, monthlyCapMinor }: Pick<Gateway, 'costPerGbMinor' | 'monthlyCapMinor'>,
): boolean => monthlyCapMinor !== null && costOf(bytes, costPerGbMinor) >= BigInt(monthlyCapMinor);

export const GATEWAY_STATES = ['CARRYING', 'REFUSED', 'OUT', 'OVER_CAP', 'DISABLED', 'UNSEEN'] as const;
export type GatewayState = (typeof GATEWAY_STATES)[number];

/** What all nodes together report of a gateway. */
export interface GatewayReport {
  nodes: number;
  healthyNodes: number;
  connections: number;
  opened: number;
  faults: number;
  /** The reason why the seller refuses our account, if a node reported one. */
  trouble: string | undefined;
  places: PlaceStatus[];
}

export function reportOf(
  id: string,
  nodes: readonly { revokedAt: Date | null; status: Pick<EdgeStatus, 'exits'> | null }[],
): GatewayReport {
  const exits = nodes
    .filter(({ revokedAt }) => revokedAt === null)
    .flatMap(({ status }) => status?.exits.find((exit) => exit.id === id) ?? []);
  const sum = (of: (exit: ExitStatus) => number) => exits.reduce((total, exit) => total + of(exit), 0);
  return {
    nodes: exits.length,
    healthyNodes: sum(({ healthy }) => Number(healthy)),
    connections: sum(({ connections }) => connections),
    opened: sum(({ opened }) => opened),
    faults: sum(({ faults }) => faults),
    trouble: exits.find(({ trouble }) => trouble !== undefined)?.trouble,
    places: sumPlaces(exits.flatMap(({ places }) => places ?? [])),
  };
}

/** Sums by place; places that are out come first, then those with the most connections. */
function sumPlaces(all: readonly PlaceStatus[]): PlaceStatus[] {
  const sums = [...Map.groupBy(all, ({ place }) => place)].map(([place, those]) => ({
    place,
    opened: those.reduce((sum, { opened }) => sum + opened, 0),
    faults: those.reduce((sum, { faults }) => sum + faults, 0),
    misplaced: those.reduce((sum, { misplaced }) => sum + misplaced, 0),
    out: those.some(({ out }) => out),
  }));
  return sums.sort((a, b) => Number(b.out) - Number(a.out) || b.opened + b.faults - a.opened - a.faults);
}

export function gatewayStateOf(gateway: Gateway, { nodes, healthyNodes, trouble }: GatewayReport): GatewayState {
  if (!gateway.enabled) return 'DISABLED';
  if (isOverCap(gateway.monthBytes, gateway)) return 'OVER_CAP';
  if (nodes === 0) return 'UNSEEN';
  if (trouble !== undefined) return 'REFUSED';
  return healthyNodes === 0 ? 'OUT' : 'CARRYING';
}

/** How much the seller's count exceeds ours, in percent of ours; null when ours is zero. */
export const differencePercent = (billed: bigint, counted: bigint): number | null =>
  counted === 0n ? null : Number(((billed - counted) * 10_000n) / counted) / 100;
