// Reads the movements of our money at each processor that keeps books of it, from a durable cursor on, and books those that nothing else books: fees, and
// payouts to our bank. Each movement is booked once, by the processor's id.
import { DAY, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { newId } from '#platform/ids.ts';
import { formatMoney } from '#commerce/money.ts';
import { postMail } from '../../../mail/services/mails.ts';
import { postJournal } from '../../ledger/services/post-journal.ts';
import type { MethodDefinition } from '../../payments/providers/method-definition.ts';
import { balancesOf } from '../../payments/providers/payment-methods.ts';
import type { BalanceMovement, PayoutState, ProcessorBalance } from '../../payments/providers/processor-balance.ts';
import { insertMovementOnce, noteLines, unknownMovements } from '../entities/processor-movement.ts';
import { type ProcessorPayout, changePayout, insertPayout, openPayouts, payoutAt } from '../entities/processor-payout.ts';
import { firstHeldAt, firstPlacedAt, firstUnreadAt, moveReading, noteHeld, readingOf } from '../entities/processor-reading.ts';
import type { SubscriptionsContext } from '../../subscriptions/context.ts';

/** How much is read before the cursor moves. */
const SPAN_MS = 7 * DAY;

/** Reads all movements since the last time, of every processor. When one cannot be read, the others still are. */
export async function readBalances(ctx: SubscriptionsContext): Promise<void> {
  const troubles: unknown[] = [];
  for (const { method, balance } of balancesOf(ctx.providers))
    try {
      await readBalance(ctx, method, balance);
    } catch (error) {
      ctx.log.error({ processor: method.processor, error: String(error) }, "a processor's own books could not be read");
      troubles.push(error);
    }
  if (troubles.length > 0) throw troubles[0];
}

async function readBalance(ctx: SubscriptionsContext, method: MethodDefinition, balance: ProcessorBalance): Promise<void> {
  const { processor } = method;
  const em = ctx.em.fork();
  const now = ctx.clock.now();
  const read = (await readingOf(em, processor))?.readUntil ?? (await firstPlacedAt(em)) ?? now;
  const again = after(read, -balance.lateMs);
  const unread = await firstUnreadAt(em, processor, again);
  const held = balance.datesHoldsBack ? await firstHeldAt(em, processor, again) : null;
  const first = Math.min(...[again, unread, held].flatMap((at) => at?.getTime() ?? []));
  for (let from = new Date(first); from < now; from = after(from, SPAN_MS)) {
    // The processor counts in whole seconds, so the present second is included.
    const until = new Date(Math.min(after(from, SPAN_MS).getTime(), after(now, 1_000).getTime()));
    await readSpan(ctx, method, balance, { from, until });
    await moveReading(em, processor, new Date(Math.min(until.getTime(), now.getTime())));
  }
  await refreshPayouts(ctx, method, balance);
  await noteHeld(em, processor, await balance.held());
}

async function readSpan(
  ctx: SubscriptionsContext,
  method: MethodDefinition,
  balance: ProcessorBalance,
  span: { from: Date; until: Date },
): Promise<void> {
  let next: string | undefined;
  do {
    const page = await balance.movements({ ...span, after: next });
    const fresh = await unknownMovements(ctx.em.fork(), method.processor, page.items);
    if (fresh.length > 0)
      await inTransaction({ ...ctx, em: ctx.em.fork() }, async (tx) => {
        for (const movement of fresh) await recordMovement(tx, method, movement);
      });
    next = page.next;
  } while (next !== undefined);
}

async function recordMovement(
  ctx: SubscriptionsContext,
  { processor, ledger: from }: MethodDefinition,
  movement: BalanceMovement,
): Promise<void> {
  const { id: processorId, subjectId, paymentId, kind, amountMinor, feeMinor, currency, words, movedAt, availableAt } = movement;
  const isNew = await insertMovementOnce(ctx.em, {
    id: newId('bmov', ctx.clock),
    processor,
    processorId,
    kind,
    subjectId: subjectId ?? null,
    paymentId: paymentId ?? null,
    currency,
    amountMinor,
    feeMinor,
    words: words.slice(0, 500),
    payoutId: null,
    movedAt,
    availableAt,
    readAt: ctx.clock.now(),
  });
  if (!isNew) return;
  const posting = { reference: processorId, currency, note: words.slice(0, 500) };
  // A dispute may have booked its fee already, by the same reference.
  if (!movement.bookedWithDispute)
    await postJournal(ctx, 'processor_fee', { ...posting, data: { accountId: null, amountMinor: feeMinor, from } });
  if (kind === 'PAYOUT') {
    await postJournal(ctx, 'payout_received', { ...posting, data: { accountId: null, amountMinor: -amountMinor, from } });
    await insertPayout(ctx.em, {
      id: newId('pout', ctx.clock),
      processor,
      processorId: subjectId ?? processorId,
      currency,
      amountMinor: -amountMinor,
      status: 'IN_TRANSIT',
      failure: null,
      arrivesAt: null,
      lines: 'WAITING',
      movedAt,
    });
  }
  if (kind === 'PAYOUT_RETURNED') {
    await postJournal(ctx, 'payout_returned', { ...posting, data: { accountId: null, amountMinor, from } });
    const failed = await payoutAt(ctx.em, { processor, processorId: subjectId ?? '' });
    if (failed) await changePayout(ctx.em, failed, { status: 'FAILED' });
    const { supportEmail, publicUrl } = ctx.providers;
    const amount = formatMoney({ amountMinor, currency });
    await postMail(ctx, supportEmail, 'payout_failed', { amount, payout: subjectId ?? processorId, url: `${publicUrl}/support/finance` });
  }
}

/** Asks the processor, for all open payouts at once, whether they have arrived and what their lines are. */
async function refreshPayouts(ctx: SubscriptionsContext, { processor }: MethodDefinition, balance: ProcessorBalance): Promise<void> {
  const open = await openPayouts(ctx.em.fork(), processor);
  if (open.length === 0) return;
  const since = new Date(Math.min(...open.map(({ movedAt }) => movedAt.getTime())));
  const ids = open.map(({ processorId }) => processorId);
  const states = await balance.payouts(ids, since);
  for (const payout of open) {
    const state = states.get(payout.processorId);
    if (state) await refreshPayout(ctx, balance, payout, state);
  }
}

async function refreshPayout(
  ctx: SubscriptionsContext,
  balance: ProcessorBalance,
  payout: ProcessorPayout,
  { status, failure, arrivesAt, lines }: PayoutState,
): Promise<void> {
  const em = ctx.em.fork();
  const isFailed = payout.status === 'FAILED' || status === 'FAILED';
  const change = {
    // A payout that came back stays FAILED, whatever the processor reports for a while.
    status: isFailed ? ('FAILED' as const) : status,
    failure: isFailed ? (failure ?? NO_WORDS) : null,
    arrivesAt: arrivesAt ?? null,
  };
  if (payout.lines !== 'WAITING' || lines === 'WAITING') return changePayout(em, payout, change);
  if (lines === 'UNKNOWN') return changePayout(em, payout, { ...change, lines });
  let next: string | undefined;
  do {
    const page = await balance.linesOf(payout.processorId, next);
    await noteLines(em, payout, page.items);
    next = page.next;
  } while (next !== undefined);
  await changePayout(em, payout, { ...change, lines: 'READ' });
}

const NO_WORDS = 'The processor does not say why.';
