// What staff do about events whose reaction failed, over all readers: they list them, and have them tried again at once.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { type DeadLetter, deadLetters, redrive } from '#platform/dead-letters.ts';
import { fail } from '#platform/errors.ts';
import type { Context } from '../../context.ts';
import { record } from '../../identity/services/activity.ts';

const MAX_LISTED = 200;

/** Events that failed, and events that wait behind them; oldest first, at most 200. */
export const waitingDeadLetters = ({ em }: Context): Promise<DeadLetter[]> => deadLetters(em, MAX_LISTED);

/**
 * Has a failed event tried again now, or all of them without `id`; returns those that are tried. Errors: event_not_found (none such, or it waits behind
 * another).
 */
export const redriveDeadLetters = (ctx: Context, id: string | null): Promise<DeadLetter[]> =>
  inTransaction(ctx, async (tx) => {
    const known = id === null || /^\d{1,18}$/.test(id);
    const tried = known ? await redrive(tx.em, id, tx.clock.now()) : [];
    if (id !== null && tried.length === 0) throw fail('event_not_found');
    const [first] = tried;
    // A retry of all events concerns no single account, so it is recorded on that of the member of staff.
    const accountId = (id === null ? null : first?.event.accountId) ?? accountOf(tx);
    if (first)
      await record(tx, { type: 'event.redriven', accountId, subject: id ?? 'all', actor: 'SUPPORT', data: { count: tried.length } });
    return tried;
  });
