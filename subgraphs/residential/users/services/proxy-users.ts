// What an owner does with the proxy users of a plan. Everything takes effect on every node within a second.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { appendEvents } from '#platform/events.ts';
import { isId, newId } from '#platform/ids.ts';
import { type NumberedPage, offsetOf } from '#platform/numbered-page.ts';
import { secretFor } from '#platform/identity.ts';
import { unseal } from '#platform/sealing.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import { PROXY_USERS_MAX } from '../../../../schema/limits.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { lockedPlan } from '../../plans/entities/plan.ts';
import { newPassword, newUsername } from '../../plans/services/grant-plan.ts';
import type { Context } from '../context.ts';
import type { ProxyUser } from '../domain/proxy-user.ts';
import { NO_TERMS, type UserTermsInput, changedTerms } from '../domain/user-terms.ts';
import {
  countFromNow,
  countProxyUsers,
  insertProxyUser,
  markRemoved,
  proxyUserByPage,
  proxyUsersById,
  proxyUsersOfPlan,
  saveUserPassword,
  saveUserTerms,
  setUserPage,
} from '../entities/proxy-user.ts';

/** Longer than those of plans. */
const USERNAME_LENGTH = 12;
/** Users in one call. */
const CREATED_AT_ONCE = 500;
/** Characters of a search. */
const WORDS_MAX = 100;

/** Newest first. Throws `page_invalid`, `limit_invalid`. */
export async function listProxyUsers(
  { em, clock }: Context,
  plan: Plan,
  { search, ...page }: NumberedPage & { search?: string | null | undefined },
): Promise<{ users: ProxyUser[]; total: number }> {
  const offset = offsetOf(page);
  const words = (search ?? '').trim().toLowerCase().slice(0, WORDS_MAX);
  return {
    users: await proxyUsersOfPlan(em, plan.id, words, { limit: page.limit, offset }, clock.now()),
    total: await countProxyUsers(em, plan.id, words),
  };
}

/** Throws `proxy_user_not_found`, for another account's as for none. */
export async function readProxyUser(ctx: Context, id: string): Promise<ProxyUser> {
  const accountId = accountOf(ctx);
  const [user] = isId('user', id) ? await proxyUsersById(ctx.em, [id], ctx.clock.now()) : [];
  if (user?.accountId !== accountId || user.removedAt) throw fail('proxy_user_not_found');
  return user;
}

/** Its owner hands it on: a signed-in session sees it, and a key that may generate lines. Throws `forbidden`. */
export function revealUserPassword({ viewer, providers }: Context, user: ProxyUser): string {
  const may = viewer.kind === 'session' || (viewer.kind === 'key' && viewer.scopes.includes('generate'));
  if (!may || viewer.accountId !== user.accountId) throw fail('forbidden');
  return secretFor(viewer, () => unseal(user.passwordSealed, providers.secrets.sealing, user.id));
}

/** In the order of the terms. Throws `plan_not_found`, `proxy_users_full`, `parameter_invalid`, `pool_unknown`. */
export const createProxyUsers = (ctx: Context, planId: string, given: readonly UserTermsInput[]): Promise<ProxyUser[]> =>
  inTransaction(ctx, async (tx) => {
    const { em, clock, providers } = tx;
    if (given.length < 1 || given.length > CREATED_AT_ONCE)
      throw fail('parameter_invalid', { field: 'users', reason: because('list_too_long', { name: 'users', max: CREATED_AT_ONCE }) });
    const terms = given.map((each) => changedTerms(NO_TERMS, { ...each, name: each.name ?? '' }));
    const plan = await lockedPlan(em, accountOf(ctx), isId('plan', planId) ? planId : '');
    if ((await countProxyUsers(em, plan.id)) + given.length > PROXY_USERS_MAX) throw fail('proxy_users_full');
    const now = clock.now();
    const ids: string[] = [];
    for (const each of terms) {
      const id = newId('user', clock);
      const { sealed, fingerprint } = newPassword(id, providers.secrets.sealing);
      const own = { id, planId: plan.id, accountId: plan.accountId, username: newUsername(USERNAME_LENGTH), createdAt: now };
      await insertProxyUser(em, { ...each, ...own, passwordSealed: sealed, passwordFingerprint: fingerprint });
      ids.push(id);
    }
    await appendEvents(em, ...ids.map((id) => eventOf('proxy_user.created', { id, planId: plan.id, accountId: plan.accountId }, now)));
    const made = new Map((await proxyUsersById(em, ids, now)).map((user) => [user.id, user]));
    return ids.map((id) => made.get(id) as ProxyUser);
  });

type UserEvent = 'created' | 'changed' | 'reset' | 'removed' | 'page_made' | 'page_revoked';

const eventOf = (type: `proxy_user.${UserEvent}`, { id, planId, accountId }: Pick<ProxyUser, 'id' | 'planId' | 'accountId'>, at: Date) => ({
  type,
  at,
  accountId,
  subject: planId,
  data: { planId, userId: id },
});

/** Changes the caller's user under the lock of its plan, and returns it as it is afterwards. Throws `proxy_user_not_found`. */
const changeUser = (
  ctx: Context,
  id: string,
  type: `proxy_user.${UserEvent}`,
  change: (tx: Context, user: ProxyUser) => Promise<unknown>,
): Promise<ProxyUser> =>
  inTransaction(ctx, async (tx) => {
    const { planId, accountId } = await readProxyUser(tx, id);
    await lockedPlan(tx.em, accountId, planId);
    const user = await readProxyUser(tx, id);
    await change(tx, user);
    await appendEvents(tx.em, eventOf(type, user, tx.clock.now()));
    const [changed] = await proxyUsersById(tx.em, [id], tx.clock.now());
    return changed as ProxyUser;
  });

/** What is left out stays. Throws `proxy_user_not_found`, `parameter_invalid`, `pool_unknown`. */
export const changeProxyUser = (ctx: Context, id: string, given: UserTermsInput): Promise<ProxyUser> =>
  changeUser(ctx, id, 'proxy_user.changed', ({ em }, user) => saveUserTerms(em, id, changedTerms(user, given)));

/** A new password; lines with the old one are refused from now on, and what they have open ends. Throws `proxy_user_not_found`. */
export const resetUserPassword = (ctx: Context, id: string): Promise<ProxyUser> =>
  changeUser(ctx, id, 'proxy_user.reset', ({ em, providers }) => {
    const { sealed, fingerprint } = newPassword(id, providers.secrets.sealing);
    return saveUserPassword(em, id, sealed, fingerprint);
  });

/** Its total limit counts from now: what it has used stays in every sum. Throws `proxy_user_not_found`. */
export const renewProxyUser = (ctx: Context, id: string): Promise<ProxyUser> =>
  changeUser(ctx, id, 'proxy_user.changed', ({ em }) => countFromNow(em, id));

/** It is let in no more; what it has used stays the plan's. Throws `proxy_user_not_found`. */
export const removeProxyUser = (ctx: Context, id: string): Promise<ProxyUser> =>
  changeUser(ctx, id, 'proxy_user.removed', ({ em, clock }) => markRemoved(em, id, clock.now()));

export interface UserPageAddress {
  url: string;
  user: ProxyUser;
}

/** Whoever has the address reads what the user has used and may use, until it is taken back; a former one stops working. */
export async function makeUserPage(ctx: Context, id: string): Promise<UserPageAddress> {
  const token = newToken();
  const user = await changeUser(ctx, id, 'proxy_user.page_made', ({ em, clock }) =>
    setUserPage(em, id, { hash: hashToken(token), madeAt: clock.now() }),
  );
  return { url: `${ctx.providers.publicUrl}/use/${token}`, user };
}

export const revokeUserPage = (ctx: Context, id: string): Promise<ProxyUser> =>
  changeUser(ctx, id, 'proxy_user.page_revoked', ({ em }) => setUserPage(em, id, null));

/** What an address leads to. Throws `list_not_found`. */
export async function readUserPage({ em, clock }: Context, token: string): Promise<ProxyUser> {
  const user = await proxyUserByPage(em, hashToken(token), clock.now());
  if (!user) throw fail('list_not_found');
  return user;
}
