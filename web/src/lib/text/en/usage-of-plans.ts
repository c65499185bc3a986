export * from './residential-usage.ts';

/** What all plans used together. */
export const usageOfPlans = {
  title: 'Usage of all plans',
  pageLead: 'What all plans used together, beside the same number of days before.',
  span: 'Span',
  from: 'From (UTC day)',
  to: 'To',
  apply: 'Show',
  faults: {
    missing: 'Choose a first and a last day.',
    reversed: 'The last day is not before the first.',
    long: 'At most 366 days can be looked at together.',
  },
  byDay: 'By day',
  byHour: 'By hour',
  lead: 'UTC, upload and download together.',
  total: 'Used',
  before: 'Days before',
  perDay: 'Per day',
  plans: 'Plans',
  chart: 'Bar chart of gigabytes used by all plans; the table below has the same figures.',
  chartHint: 'The dashed line is what was used as many days before. Draw over bars to look at their days alone.',
  table: 'Table of usage of all plans',
  breakdownLead: 'The largest first; all rows together are the bytes of these days.',
  marks: (count: number) => (count === 1 ? '1 change to plans in these days' : `${count} changes to plans in these days`),
  mark: {
    CREATED: (plan: string, bytes: string | null) => `${plan}: bought${bytes === null ? '' : `, ${bytes}`}`,
    TOPPED_UP: (plan: string, bytes: string | null) => `${plan}: ${bytes ?? 'data'} added`,
    WITHDRAWN: (plan: string, bytes: string | null) => `${plan}: ${bytes ?? 'what was left'} taken back`,
    LAPSED: (plan: string, bytes: string | null) => `${plan}: ${bytes ?? 'what was left'} lapsed`,
    LIMITED: (plan: string, bytes: string | null) => (bytes === null ? `${plan}: daily limit removed` : `${plan}: daily limit ${bytes}`),
    PAUSED: (plan: string, _bytes: string | null) => `${plan}: daily limit reached`,
    RESET: (plan: string, _bytes: string | null) => `${plan}: authentication reset`,
  },
};
