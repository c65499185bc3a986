// Reports the node's status to the platform, for support, and learns whether the node is to drain.
import { NODE_SECONDS } from '../schema/limits.ts';
import { readFileSync } from 'node:fs';
import { SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import {
  type ControlPlane,
  MAX_STATUS_EXITS,
  MAX_STATUS_PLACES,
  type EdgeStatus,
  type ExitStatus,
  type PlaceStatus,
} from './protocol/control-plane.ts';
import type { EdgeFigures } from './edge-figures.ts';
import type { Exit } from './exit.ts';

/** The version in package.json. */
export const EDGE_VERSION: string = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
  .version;

const EVERY_MS = NODE_SECONDS.report * SECOND;

export interface StatusReports {
  /** Sends one report now. Resolves also when the platform does not answer. */
  send(): Promise<void>;
  close(): void;
}

/** `draining` is called when the platform's order to drain changes. */
export function reportStatus(
  controlPlane: Pick<ControlPlane, 'report'>,
  log: Log,
  status: () => EdgeStatus,
  draining: (wished: boolean) => void,
): StatusReports {
  let wished = false;
  const send = async () => {
    try {
      const answer = await controlPlane.report(status());
      if (answer.draining !== wished) draining(answer.draining);
      wished = answer.draining;
    } catch (error) {
      log.debug({ error: String(error) }, 'the platform does not take the status');
    }
  };
  const timer = setInterval(() => void send(), EVERY_MS);
  timer.unref();
  return { send, close: () => clearInterval(timer) };
}

/** The exits to report: first gateways, then those that are out, then those with the most connections. */
export const foremost = (exits: readonly ExitStatus[]): ExitStatus[] =>
  exits
    .toSorted(
      (a, b) =>
        Number(b.kind === 'gateway') - Number(a.kind === 'gateway') ||
        Number(a.healthy) - Number(b.healthy) ||
        b.connections - a.connections ||
        b.opened - a.opened,
    )
    .slice(0, MAX_STATUS_EXITS);

/** `now`: monotonic milliseconds. */
export function toExitStatus(exit: Exit, now: number): ExitStatus {
  const { definition, healthy, connections, opened, faults, trouble, name } = exit;
  const { id, kind, carrier, capacity, products } = definition;
  const common = { id, kind, address: name.address, carrier, capacity, products, healthy, connections, opened, faults, trouble };
  if (definition.kind !== 'gateway') {
    const { country, state, city, asn } = definition;
    return { ...common, country, state, city, asn };
  }
  const only = definition.countries.length === 1 ? definition.countries[0] : undefined;
  return { ...common, country: only === undefined || only === '*' ? 'any' : only, places: placesOf(exit, now) };
}

const placesOf = ({ places }: Exit, now: number): PlaceStatus[] =>
  [...places]
    .map(([place, { opened, faults, misplaced, outUntil }]) => ({ place, opened, faults, misplaced, out: outUntil > now }))
    .sort((a, b) => Number(b.out) - Number(a.out) || b.opened + b.faults - a.opened - a.faults)
    .slice(0, MAX_STATUS_PLACES);

/** What a node's figures say of its status. */
export function statusOf(figures: EdgeFigures) {
  const { connections, tunnels, plans, sessions, upBytes, downBytes, staticLines } = figures;
  const { failedExchanges: ledgerFailures, exits: exitCount, healthyExits: healthyExitCount } = figures;
  return { connections, tunnels, plans, sessions, upBytes, downBytes, ledgerFailures, staticLines, exitCount, healthyExitCount };
}
