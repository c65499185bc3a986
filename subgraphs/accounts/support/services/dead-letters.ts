// What staff does about events whose reaction failed, of all readers: looks, and has them tried again now.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { type DeadLetter, deadLetters, redrive } from '#platform/dead-letters.ts';
import { fail } from '#platform/errors.ts';
import type { Context } from '../../context.ts';
import { record } from '../../identity/services/activity.ts';

const MAX_LISTED = 200;

/** Oldest first, at most 200: those that failed, and those that wait for them. */
export const waitingDeadLetters = ({ em }: Context): Promise<DeadLetter[]> => deadLetters(em, MAX_LISTED);

/**
 * Has one that has failed tried again now, or without `id` all of them; answers with what is tried. Errors: event_not_found (none such, or it waits
 * behind another).
 */
export const redriveDeadLetters = (ctx: Context, id: string | null): Promise<DeadLetter[]> =>
  inTransaction(ctx, async (tx) => {
    const known = id === null || /^\d{1,18}$/.test(id);
    const tried = known ? await redrive(tx.em, id, tx.clock.now()) : [];
    if (id !== null && tried.length === 0) throw fail('event_not_found');
    const [first] = tried;
    // All of them concern nobody alone: that stands with the member of staff.
    const accountId = (id === null ? null : first?.event.accountId) ?? accountOf(tx);
    if (first)
      await record(tx, { type: 'event.redriven', accountId, subject: id ?? 'all', actor: 'SUPPORT', data: { count: tried.length } });
    return tried;
  });
