// Makes the status page's report from what is known: measured states, days of the history, incidents.
import { DAY, MINUTE, after, lastDays, toDay } from '#platform/clock.ts';
import { type ComponentState, worstOf } from '#platform/component-state.ts';
import type { Language } from '#platform/language.ts';
import { STATUS_DAYS } from '../../schema/limits.ts';
import { type IncidentStep, STATUS_COMPONENTS, type StatusComponent } from '../../schema/status.ts';
import type { States } from './components.ts';

export type IncidentText = { en: string } & Partial<Record<Language, string | null>>;

export interface Incident {
  id: string;
  kind: 'INCIDENT' | 'MAINTENANCE';
  components: StatusComponent[];
  impact: ComponentState;
  title: IncidentText;
  beginsAt: string;
  endsAt: string | null;
  resolvedAt: string | null;
  /** The latest first. */
  updates: { id: string; step: IncidentStep; text: IncidentText; at: string }[];
}

export interface HistoryDay {
  component: StatusComponent;
  on: string;
  measuredMinutes: number;
  degradedMinutes: number;
  downMinutes: number;
}

/** The state in one minute that has not been reported to accounts. `at`: the minute's first moment. */
export interface Minute {
  component: StatusComponent;
  at: string;
  state: ComponentState;
}

/** Everything that is kept, in memory and on disk. */
export interface Known {
  measuredAt: string | null;
  states: States | null;
  days: HistoryDay[];
  incidents: Incident[];
  minutes: Minute[];
}

export const NOTHING_KNOWN: Known = { measuredAt: null, states: null, days: [], incidents: [], minutes: [] };

export type StatusDay = Omit<HistoryDay, 'component'>;

export interface StatusReport {
  /** The worst of the components. */
  state: ComponentState;
  /** Null when nothing has been measured yet. */
  measuredAt: string | null;
  components: { component: StatusComponent; state: ComponentState; days: StatusDay[] }[];
  /** Those that are not resolved first, then the others; each the latest first. */
  incidents: Incident[];
}

/** Whether an incident applies now. Maintenance whose planned end has passed does not, even when nobody has marked it as resolved. */
const goesOn = ({ beginsAt, endsAt, resolvedAt }: Incident, now: Date): boolean =>
  resolvedAt === null && new Date(beginsAt) <= now && (endsAt === null || now < new Date(endsAt));

/** The report, with 90 days of each component; a day of which nothing is known has zero minutes. */
export function reportOf({ measuredAt, states, days, incidents, minutes }: Known, now: Date): StatusReport {
  const components = STATUS_COMPONENTS.map((component) => {
    const current = incidents.filter((incident) => incident.components.includes(component) && goesOn(incident, now));
    return {
      component,
      state: worstOf([states?.[component] ?? 'OPERATIONAL', ...current.map(({ impact }) => impact)]),
      days: daysOf(component, days, minutes, now),
    };
  });
  return {
    state: worstOf(components.map(({ state }) => state)),
    measuredAt,
    components,
    incidents: incidents.toSorted(
      (one, other) => Number(one.resolvedAt !== null) - Number(other.resolvedAt !== null) || other.beginsAt.localeCompare(one.beginsAt),
    ),
  };
}

function daysOf(component: StatusComponent, days: readonly HistoryDay[], minutes: readonly Minute[], now: Date): StatusDay[] {
  const own = new Map(days.filter((day) => day.component === component).map((day) => [day.on, day]));
  const untold = Map.groupBy(
    minutes.filter((minute) => minute.component === component),
    ({ at }) => at.slice(0, 10),
  );
  return lastDays(now, STATUS_DAYS).map((on) => {
    const { measuredMinutes = 0, degradedMinutes = 0, downMinutes = 0 } = own.get(on) ?? {};
    const more = untold.get(on) ?? [];
    const count = (state: ComponentState) => more.filter((minute) => minute.state === state).length;
    return {
      on,
      measuredMinutes: measuredMinutes + more.length,
      degradedMinutes: degradedMinutes + count('DEGRADED'),
      downMinutes: downMinutes + count('DOWN'),
    };
  });
}

/** Minutes of two days: of a longer outage of the database, the oldest minutes are lost. */
const MINUTES_KEPT = STATUS_COMPONENTS.length * 2 * 24 * 60;

/** Adds the minute of `now`, with the worst state measured in it so far. */
export function withMinute(minutes: readonly Minute[], states: States, now: Date): Minute[] {
  const at = new Date(Math.floor(now.getTime() / MINUTE) * MINUTE).toISOString();
  const before = minutes.filter((minute) => minute.at !== at);
  const worst = (component: StatusComponent) =>
    worstOf([
      states[component],
      ...minutes.filter((minute) => minute.at === at && minute.component === component).map(({ state }) => state),
    ]);
  return [...before, ...STATUS_COMPONENTS.map((component) => ({ component, at, state: worst(component) }))].slice(-MINUTES_KEPT);
}

/** Removes what an earlier process has kept for too long: days older than the history, and minutes older than accounts accepts. */
export const freshOf = (known: Known, now: Date): Known => ({
  ...known,
  days: known.days.filter(({ on }) => on > toDay(after(now, -STATUS_DAYS * DAY))),
  minutes: known.minutes.filter(({ at }) => new Date(at) > after(now, -2 * DAY)),
});
