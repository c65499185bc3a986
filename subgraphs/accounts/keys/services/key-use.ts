// How much a key is used, as the gateways count it, and the mails before a key ends.
import { sql } from 'kysely';
import { DAY, after, lastDays, toDay } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { maskApiKey } from '../domain/api-key.ts';
import { toMinute } from '../../mail/domain/mail-text.ts';
import { Account } from '../../identity/entities/account.ts';
import { ApiKey } from '../entities/api-key.ts';
import { ApiKeyDay } from '../entities/api-key-day.ts';
import type { Context } from '../../providers.ts';
import { postMail } from '../../mail/services/mails.ts';

const WINDOW_DAYS = 30;

/** Adds requests that a gateway has let in. A key that is gone is passed over. */
export async function addKeyUse(ctx: Context, uses: readonly { keyId: string; requests: number }[]): Promise<void> {
  const day = toDay(ctx.clock.now());
  // In one order, so that two gateways at once cannot wait for each other.
  const sorted = uses.filter(({ requests }) => requests > 0).toSorted((one, other) => (one.keyId < other.keyId ? -1 : 1));
  if (sorted.length === 0) return;
  await sql`
    insert into api_key_day (key_id, day, requests)
    select used.id, ${day}::date, sum(used.requests)
    from unnest(${sorted.map(({ keyId }) => keyId)}::text[], ${sorted.map(({ requests }) => requests)}::bigint[]) as used (id, requests)
    join api_key on api_key.id = used.id
    group by used.id order by used.id
    on conflict (key_id, day) do update set requests = api_key_day.requests + excluded.requests`.execute(ctx.em.getKysely());
}

/** Requests of the last 30 UTC days, by key, in the order asked for. */
export async function requestsOfKeys({ em, clock }: Context, ids: readonly string[]): Promise<number[]> {
  const [from = ''] = lastDays(clock.now(), WINDOW_DAYS);
  const days = await em.find(ApiKeyDay, { keyId: { $in: [...ids] }, day: { $gte: from } });
  const sums = new Map<string, number>();
  for (const { keyId, requests } of days) sums.set(keyId, (sums.get(keyId) ?? 0) + requests);
  return ids.map((id) => sums.get(id) ?? 0);
}

/** Spec is silent: days before its end on which a key's owner is told. */
const WARNINGS = [7, 1] as const;
const AT_ONCE = 500;

/** Mails the owners of keys that end in a week, and again in a day; each once. */
export async function warnOfExpiry(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  for (const days of WARNINGS) {
    const due = await ctx.em.fork().find(
      ApiKey,
      {
        revokedAt: null,
        expiresAt: { $gt: now, $lte: after(now, days * DAY) },
        $or: [{ warnedDays: null }, { warnedDays: { $gt: days } }],
      },
      { limit: AT_ONCE, orderBy: { expiresAt: 'asc' } },
    );
    for (const key of due) await warn(ctx, key, days);
  }
}

const warn = (ctx: Context, key: ApiKey, days: number): Promise<void> =>
  inTransaction({ ...ctx, em: ctx.em.fork() as Context['em'] }, async (tx) => {
    const { id, accountId, expiresAt } = key;
    // A key that has less than a day left when it is first seen gets the one mail that is true.
    const dayLeft = expiresAt && expiresAt <= after(ctx.clock.now(), DAY);
    const said = dayLeft ? 1 : days;
    const taken = await tx.em.nativeUpdate(
      ApiKey,
      { id, $or: [{ warnedDays: null }, { warnedDays: { $gt: said } }] },
      { warnedDays: said },
    );
    const account = await tx.em.findOneOrFail(Account, { id: accountId });
    if (taken !== 1 || !account.email || !expiresAt) return;
    await postMail(tx, account.email, 'key_expiring', {
      masked: maskApiKey(key),
      days: said,
      at: toMinute(expiresAt),
      url: `${ctx.providers.publicUrl}/developers`,
    });
  });
