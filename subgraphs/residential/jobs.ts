import type { JobTable } from '#shared/jobs.ts';
import type { Context } from './providers.ts';
import { announceResumed } from './services/announce-status.ts';

export const jobs: JobTable<Context> = [{ name: 'residential.plans-resume', cron: '* * * * *', run: (ctx) => announceResumed(ctx) }];
