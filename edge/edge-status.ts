// Reports to the platform what this node is doing, for support, and hears whether it is to take no new connections.
import { readFileSync } from 'node:fs';
import { SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { type ControlPlane, MAX_STATUS_EXITS, type EdgeStatus, type ExitStatus } from './protocol/control-plane.ts';
import type { Exit } from './exits.ts';

/** As the package says. */
export const EDGE_VERSION: string = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
  .version;

const EVERY_MS = 5 * SECOND;

export interface StatusReports {
  /** One report now. Resolves also when the platform is away. */
  send(): Promise<void>;
  close(): void;
}

/** `draining` is called when the platform's wish changes. */
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

/** Those that are out first, then those that carry the most. */
export const foremost = (exits: readonly ExitStatus[]): ExitStatus[] =>
  exits
    .toSorted((a, b) => Number(a.healthy) - Number(b.healthy) || b.connections - a.connections || b.opened - a.opened)
    .slice(0, MAX_STATUS_EXITS);

export const toExitStatus = ({ definition, healthy, connections, opened, faults }: Exit): ExitStatus => ({
  id: definition.id,
  kind: definition.kind,
  country: definition.country,
  state: definition.state,
  city: definition.city,
  carrier: definition.carrier,
  capacity: definition.capacity,
  products: definition.products,
  healthy,
  connections,
  opened,
  faults,
});
