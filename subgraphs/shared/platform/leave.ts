// Before anything of a process is closed: whoever sends requests here reads that it stops, and has the time to send them elsewhere.
import type { HealthPort } from './health-port.ts';
import type { Look } from './readiness.ts';

export interface LeaveParts {
  readiness: Look;
  health: Pick<HealthPort, 'look'> | undefined;
  /** STOP_DELAY_MS. */
  delayMs: number;
}

/** Resolves when they have had it. */
export async function leave({ readiness, health, delayMs }: LeaveParts): Promise<void> {
  readiness.stop();
  await health?.look();
  if (delayMs > 0) await new Promise((over) => setTimeout(over, delayMs));
}
