// How often keys are used, as counted by the gateways, and the mails before a key ends.
import { DAY, after, lastDays, toDay } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { maskApiKey } from '../domain/api-key.ts';
import { toMinute } from '../../mail/domain/mail-text.ts';
import { existingAccount } from '../../identity/entities/account.ts';
import { type ApiKey, keysToWarn, markWarned } from '../entities/api-key.ts';
import { addRequests, daysOfKeys } from '../entities/api-key-day.ts';
import type { KeysContext } from '../context.ts';
import { postMail } from '../../mail/services/mails.ts';
import { KEY_WARNING_DAYS } from '../../../../schema/limits.ts';

const WINDOW_DAYS = 30;

/** Adds requests that a gateway has let in. A key that no longer exists is skipped. */
export async function addKeyUse(ctx: KeysContext, uses: readonly { keyId: string; requests: number }[]): Promise<void> {
  const counted = uses.filter(({ requests }) => requests > 0);
  if (counted.length > 0) await addRequests(ctx.em, toDay(ctx.clock.now()), counted);
}

/** The requests of the last 30 UTC days for each key, in the order of `ids`. */
export async function requestsOfKeys({ em, clock }: KeysContext, ids: readonly string[]): Promise<number[]> {
  const [from = ''] = lastDays(clock.now(), WINDOW_DAYS);
  const days = await daysOfKeys(em, ids, from);
  const sums = new Map<string, number>();
  for (const { keyId, requests } of days) sums.set(keyId, (sums.get(keyId) ?? 0) + requests);
  return ids.map((id) => sums.get(id) ?? 0);
}

const BATCH_SIZE = 500;

/** Mails owners once a week before a key ends, and once a day before. */
export async function warnOfExpiry(ctx: KeysContext): Promise<void> {
  const now = ctx.clock.now();
  for (const days of KEY_WARNING_DAYS) {
    const due = await keysToWarn(ctx.em.fork(), { days, now, until: after(now, days * DAY), limit: BATCH_SIZE });
    for (const key of due) await warn(ctx, key, days);
  }
}

const warn = (ctx: KeysContext, key: ApiKey, days: number): Promise<void> =>
  inTransaction({ ...ctx, em: ctx.em.fork() as KeysContext['em'] }, async (tx) => {
    const { id, accountId, expiresAt } = key;
    // A key that has less than a day left when it is first seen gets only the mail of the last day.
    const dayLeft = expiresAt && expiresAt <= after(ctx.clock.now(), DAY);
    const said = dayLeft ? 1 : days;
    const taken = await markWarned(tx.em, id, said);
    const account = await existingAccount(tx.em, accountId);
    if (!taken || !account.email || !expiresAt) return;
    await postMail(tx, account.email, 'key_expiring', {
      masked: maskApiKey(key),
      days: said,
      at: toMinute(expiresAt),
      url: `${ctx.providers.publicUrl}/developers`,
    });
  });
