// Support decides on held lines: they are counted after all, or discarded.
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { earliestEntry } from '../domain/usage-retention.ts';
import { enterLines } from '../entities/usage-ledger.ts';
import { type HeldLine, decideLines, waitingLines } from '../entities/usage-quarantine.ts';
import { needWeeks } from '../entities/usage-week.ts';
import type { Context } from '../context.ts';
import { lockPlans } from '../../plans/entities/plan.ts';
import { announceStatus } from '../../plans/services/announce-status.ts';

/** The most lines in one decision. */
const MAX_LINES = 1_000;
/** Nobody carries a petabyte in one line, and the sums of accepted lines must stay below 2^63. */
const MAX_BYTES = 10n ** 15n;

/** Waiting lines, the earliest first. Throws `parameter_invalid`. */
export function heldLines(
  { em }: Context,
  { source = null, after = null, first }: { source?: string | null | undefined; after?: string | null | undefined; first: number },
): Promise<HeldLine[]> {
  if (first < 1 || first > MAX_LINES)
    throw fail('parameter_invalid', { field: 'first', reason: because('number_out_of_range', { name: 'first', max: MAX_LINES }) });
  return waitingLines(em, source, after, first);
}

/**
 * Counts these lines although they were implausible; lines that were decided on before are left out. Returns how many it decided on. Throws `parameter_invalid`
 * for a line of more than a petabyte, or older than the ledger's retention: such lines can only be discarded.
 */
export async function acceptUsage(ctx: Context, ids: readonly string[], by: string): Promise<number> {
  checkIds(ids);
  const now = ctx.clock.now();
  return inTransaction(ctx, async (tx) => {
    const lines = await decideLines(tx.em, ids, 'ACCEPTED', by, now);
    const earliest = earliestEntry(now, ctx.providers.retention.usage);
    const closed = lines.find(({ at, upBytes, downBytes }) => upBytes + downBytes > MAX_BYTES || at < earliest);
    if (closed)
      throw fail('parameter_invalid', {
        field: 'ids',
        reason: because('held_line_closed', { id: closed.id }),
      });
    await needWeeks(
      tx.em,
      lines.map(({ at }) => at),
    );
    const locked = await lockPlans(tx.em, [...new Set(lines.map(({ planId }) => planId))]);
    const formsOf = (planId: string) => tx.providers.hosts.of(locked.get(planId)?.hostsChosen ?? null);
    for (const [source, ofSource] of Map.groupBy(lines, (line) => line.source))
      await announceStatus(
        tx,
        await enterLines(
          tx.em,
          source,
          ofSource.map((line) => ({ ...line, base: '', host: formsOf(line.planId).enteredAgain(line.host) })),
          now,
        ),
      );
    return lines.length;
  });
}

/** Decides that these lines never count. Returns how many it decided on. Throws `parameter_invalid`. */
export async function discardUsage(ctx: Context, ids: readonly string[], by: string): Promise<number> {
  checkIds(ids);
  return (await decideLines(ctx.em, ids, 'DISCARDED', by, ctx.clock.now())).length;
}

function checkIds(ids: readonly string[]): void {
  if (ids.length < 1 || ids.length > MAX_LINES)
    throw fail('parameter_invalid', { field: 'ids', reason: because('held_lines_count', { max: MAX_LINES }) });
}
