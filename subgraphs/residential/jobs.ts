import type { JobTable } from '#shared/jobs.ts';
import type { Context } from './providers.ts';
import { announceResumed } from './services/announce-status.ts';
import { forgetOldLeases, reapLeases } from './services/leases.ts';

export const jobs: JobTable<Context> = [
  { name: 'residential.plans-resume', cron: '* * * * *', run: (ctx) => announceResumed(ctx) },
  { name: 'residential.leases-reap', cron: '* * * * *', run: async (ctx) => void (await reapLeases(ctx)) },
  { name: 'residential.leases-forget', cron: '17 3 * * *', run: (ctx) => forgetOldLeases(ctx) },
];
