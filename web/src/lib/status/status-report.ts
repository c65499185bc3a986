// The gateway's own report (gateway/status/status-report.ts), which is available even when everything behind the gateway is away.
import type { IncidentWithUpdates } from '#lib/ops/incidents.ts';

export type State = IncidentWithUpdates['impact'];

export interface StatusDay {
  on: string;
  measuredMinutes: number;
  degradedMinutes: number;
  downMinutes: number;
}

export interface StatusReport {
  state: State;
  measuredAt: string | null;
  components: { component: IncidentWithUpdates['components'][number]; state: State; days: StatusDay[] }[];
  incidents: IncidentWithUpdates[];
}

/** Throws when the report cannot be loaded. */
export async function readStatus(): Promise<StatusReport> {
  const answer = await fetch('/status.json');
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return (await answer.json()) as StatusReport;
}

export type Look = State | 'NO_DATA';

/** A release takes single minutes: a day is marked only from five minutes on. */
const NOTICED_MINUTES = 5;

export function lookOf({ measuredMinutes, degradedMinutes, downMinutes }: StatusDay): Look {
  if (measuredMinutes === 0) return 'NO_DATA';
  if (downMinutes >= NOTICED_MINUTES) return 'DOWN';
  return downMinutes + degradedMinutes >= NOTICED_MINUTES ? 'DEGRADED' : 'OPERATIONAL';
}

/** Uptime in hundredths of a percent of the measured minutes; undefined when nothing was measured. Rounded down, so that 100 % means no downtime. */
export function uptimeOf(days: readonly StatusDay[]): number | undefined {
  const measured = days.reduce((sum, day) => sum + day.measuredMinutes, 0);
  const down = days.reduce((sum, day) => sum + day.downMinutes, 0);
  return measured === 0 ? undefined : Math.floor(((measured - down) / measured) * 10_000);
}
