import { REQUEST_LOG } from '../../../../../schema/limits.ts';

const { hour, plan, sampledOneIn } = REQUEST_LOG;

export const requestLog = {
  title: 'Request log',
  lead: (days: number) =>
    `Which hosts the lines of this plan reach, when, and why a request fails. Kept for ${days === 1 ? 'a day' : `${days} days`}.`,
  mode: 'What is written down',
  modes: { OFF: 'Nothing', SAMPLED: 'A sample', WHOLE: 'Everything' },
  modeLeads: {
    OFF: 'Off by default. Nothing is written down about single requests; your data usage is counted all the same.',
    SAMPLED: `Every request that fails, and one in ${sampledOneIn} of the others.`,
    WHOLE: `Every request, up to ${hour.toLocaleString('en-US')} an hour and ${plan.toLocaleString('en-US')} in all, the newest.`,
  },
  privacy:
    'The log holds hosts, never paths or contents. Where people use your lines, it may be personal data about them: tell them, and switch it off when you no longer need it.',
  saved: 'Changed. Proxy nodes hear of it within a second.',
  kept: (count: string) => `Requests kept: ${count}`,
  missed: (count: string) => `${count} more had no room and are not kept.`,
  delete: 'Delete the log',
  deleteTitle: 'Delete the request log?',
  deleteLead: 'All requests that are written down for this plan are gone at once. What is charged does not change.',
  deleted: 'The log is deleted.',
  list: 'Requests',
  listLead: 'The newest first. A request is shown once it is over.',
  csv: 'CSV',
  csvLabel: 'Download these requests as CSV',
  live: 'Live',
  host: 'Host',
  hostHint: 'With all below it',
  outcome: 'Outcome',
  outcomes: { ALL: 'All', FAILED: 'All that failed' },
  session: 'Session',
  user: 'Proxy user',
  anyUser: 'Everybody',
  noHost: 'No target',
  noStatus: 'left',
  bytes: (down: string, up: string) => `${down} down, ${up} up`,
  milliseconds: (count: string) => `${count} ms`,
  ofSession: (session: string) => `session ${session}`,
  mend: 'What to do:',
  more: 'More',
  emptyTitle: 'No requests yet',
  emptyOff: 'The log is off. Switch it on to see what your lines reach from then on.',
  emptyOn: 'What the lines of this plan do from now on stands here within seconds.',
  nothingFound: 'No request fits this filter.',
};
