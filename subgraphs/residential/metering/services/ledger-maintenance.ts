// Daily maintenance of the ledger: makes partitions for the coming weeks, and deletes what is beyond the retention.
import { comingWeeks, dropWeeks, needWeeks } from '../entities/usage-week.ts';
import { forgetReports } from '../entities/usage-report.ts';
import { forgetOldPasswordUses } from '../../plans/entities/old-password.ts';
import { forgetHeldLines } from '../entities/usage-quarantine.ts';
import { endOfRaw } from '../domain/usage-retention.ts';
import type { Context } from '../context.ts';

const BATCH_SIZE = 2_000;

export async function maintainLedger({ em, clock, providers }: Context): Promise<void> {
  const now = clock.now();
  await needWeeks(em, comingWeeks(now));
  const end = endOfRaw(now, providers.retention.usage);
  await dropWeeks(em, end);
  while ((await forgetReports(em, end, BATCH_SIZE)) === BATCH_SIZE);
  await forgetOldPasswordUses(em, end);
  await forgetHeldLines(em, end);
}
