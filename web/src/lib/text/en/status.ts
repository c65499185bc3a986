import { STATUS_DAYS } from '../../../../../schema/limits.ts';
export * from './status-words.ts';

/** The public status page. */
export const status = {
  title: 'Status',
  lead: 'Measured by the platform itself, around the clock. Days are UTC.',
  overall: {
    OPERATIONAL: 'Everything works',
    DEGRADED: 'Some of it does not work as it should',
    DOWN: 'A part of it is down',
  },
  measured: (at: string) => `Measured ${at}`,
  unmeasured: 'Nothing has been measured yet.',
  uptime: (percent: string) => `${percent} in ${STATUS_DAYS} days`,
  noData: 'no data',
  day: (on: string, what: string) => `${on}: ${what}`,
  dayFine: 'no downtime',
  dayMinutes: (down: number, degraded: number) => `down ${down} min, degraded ${degraded} min`,
  history: `History of ${STATUS_DAYS} days, from the oldest to today`,
  incidents: 'Incidents and maintenance',
  none: `Nothing was told in the last ${STATUS_DAYS} days.`,
  feed: 'Subscribe (RSS)',
  failed: 'The status cannot be read right now. It is tried again.',
};
