// Before a process closes anything: its readiness reports that it stops, and load balancers get time to send requests elsewhere.
import type { HealthPort } from './health-port.ts';
import type { Look } from './readiness.ts';

export interface LeaveParts {
  readiness: Look;
  health: Pick<HealthPort, 'look'> | undefined;
  /** The value of STOP_DELAY_MS. */
  delayMs: number;
}

/** Resolves after the delay. */
export async function leave({ readiness, health, delayMs }: LeaveParts): Promise<void> {
  readiness.stop();
  await health?.look();
  if (delayMs > 0) await new Promise((over) => setTimeout(over, delayMs));
}
