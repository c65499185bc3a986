import { costJob } from '#commerce/costs/count-costs.ts';
import type { JobTable } from '#platform/jobs.ts';
import type { Context } from './providers.ts';
import { countCosts } from './gateways/services/count-costs.ts';
import { reopenGateways } from './gateways/services/node-gateways.ts';
import { maintainLedger } from './metering/services/ledger-maintenance.ts';
import { topUpDue } from './plans/services/auto-top-up.ts';
import { announceEnds } from './plans/services/announce-end.ts';
import { announceLapsed, announceResumed } from './plans/services/announce-status.ts';
import { forgetOldLeases, reapLeases } from './leases/services/leases.ts';
import { forgetRequests } from './requests/services/receive-requests.ts';
import { forgetStickySessions } from './leases/services/sticky-sessions.ts';

export const jobs: JobTable<Context> = [
  { name: 'residential.plans-resume', cron: '* * * * *', run: (ctx) => announceResumed(ctx) },
  { name: 'residential.plans-lapse', cron: '* * * * *', run: (ctx) => announceLapsed(ctx) },
  { name: 'residential.plans-end', cron: '* * * * *', run: (ctx) => announceEnds(ctx) },
  { name: 'residential.top-ups-due', cron: '* * * * *', run: (ctx) => topUpDue(ctx) },
  { name: 'residential.leases-reap', cron: '* * * * *', run: async (ctx) => void (await reapLeases(ctx)) },
  { name: 'residential.requests-forget', cron: '*/5 * * * *', run: (ctx) => forgetRequests(ctx) },
  { name: 'residential.gateways-reopen', cron: '0 0 1 * *', run: async (ctx) => void (await reopenGateways(ctx)) },
  costJob('residential', 2, countCosts),
  { name: 'residential.ledger-care', cron: '37 2 * * *', run: (ctx) => maintainLedger(ctx) },
  { name: 'residential.leases-forget', cron: '17 3 * * *', run: (ctx) => forgetOldLeases(ctx) },
  { name: 'residential.sessions-forget', cron: '27 3 * * *', run: (ctx) => forgetStickySessions(ctx) },
];
