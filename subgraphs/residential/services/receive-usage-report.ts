// The way of every byte into the ledger. Lines that were counted before change nothing, in whatever order and however often reports arrive.
import { inTransaction } from '#shared/database.ts';
import { fail } from '#shared/errors.ts';
import { type UsageLine, readLine } from '../domain/usage-report.ts';
import { enterLines, lockPlansOf } from '../entities/usage-ledger.ts';
import type { Context } from '../providers.ts';
import { announceStatus } from './announce-status.ts';

export interface UsageReport {
  /** Which network tells it. */
  source: string;
  /** The network's own id of this report. */
  reportId: string;
  lines: readonly UsageLine[];
}

export interface UsageReceipt {
  counted: number;
  repeated: number;
  unknown: number;
}

/** Spec is silent: a report has at most this many lines, so that it fits one short transaction. */
const MOST_LINES = 5_000;
const LONGEST_ID = 200;

/** Totals, days and status events change with the entries or not at all. Throws `parameter_invalid`. */
export async function receiveUsageReport(ctx: Context, { source, reportId, lines }: UsageReport): Promise<UsageReceipt> {
  if (source === '' || reportId === '' || source.length > LONGEST_ID || reportId.length > LONGEST_ID || lines.length > MOST_LINES) {
    throw fail('parameter_invalid', { reason: 'A usage report has a source, an id and at most 5,000 lines.' });
  }
  const now = ctx.clock.now();
  const read = lines.map((line) => readLine(line, now));
  return inTransaction(ctx, async (tx) => {
    const plans = await lockPlansOf(tx.em, [...new Set(read.map(({ base }) => base))]);
    const known = read.flatMap((line) => {
      const planId = plans.get(line.base);
      return planId === undefined ? [] : [{ ...line, planId }];
    });
    if (known.length === 0) return { counted: 0, repeated: 0, unknown: lines.length };
    const changed = await enterLines(tx.em, { source, reportId, lines: known }, now);
    await announceStatus(tx, changed);
    const counted = changed.reduce((sum, plan) => sum + plan.lines, 0);
    return { counted, repeated: known.length - counted, unknown: lines.length - known.length };
  });
}
