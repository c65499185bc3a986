// What an owner does with the proxy users of a plan. Every change reaches every node within a second.
import { accountOf, ownerOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { appendEvents } from '#platform/events.ts';
import { isId, newId } from '#platform/ids.ts';
import { type NumberedPage, offsetOf } from '#platform/numbered-page.ts';
import { searchWords } from '#platform/search-words.ts';
import { mayReach, memberOf, secretFor } from '#platform/identity.ts';
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
  proxyUsersOfAccount,
  proxyUsersOfPlan,
  saveUserPassword,
  saveUserTerms,
  setUserPage,
} from '../entities/proxy-user.ts';

/** Longer than usernames of plans, so that none can be equal. */
const USERNAME_LENGTH = 12;
/** The most users in one call. */
const CREATED_AT_ONCE = 500;
/** The most users that one search finds. */
const FOUND_MAX = 100;

/** Users of a plan, newest first. Throws `page_invalid`, `limit_invalid`. */
export async function listProxyUsers(
  { em, clock }: Context,
  plan: Plan,
  { search, ...page }: NumberedPage & { search?: string | null | undefined },
): Promise<{ users: ProxyUser[]; total: number }> {
  const offset = offsetOf(page);
  const words = wordsOf(search);
  return {
    users: await proxyUsersOfPlan(em, plan.id, words, { limit: page.limit, offset }, clock.now()),
    total: await countProxyUsers(em, plan.id, words),
  };
}

/** Users of all plans of the account, newest first. Throws `limit_invalid`. */
export async function findProxyUsers(ctx: Context, search: string, first: number): Promise<ProxyUser[]> {
  offsetOf({ page: 1, limit: first });
  const mine = ({ id, planId }: ProxyUser) => mayReach(ctx.viewer, planId, id);
  // Who has access to some alone finds theirs among as many as a search may ask for.
  const asked = memberOf(ctx.viewer)?.only ? FOUND_MAX : first;
  return (await proxyUsersOfAccount(ctx.em, accountOf(ctx), wordsOf(search), asked, ctx.clock.now())).filter(mine).slice(0, first);
}

const wordsOf = (search: string | null | undefined): string => (searchWords(search) ?? '').toLowerCase();

/** Reads one user. Throws `proxy_user_not_found`, for another account's user as for an unknown one. */
export async function readProxyUser(ctx: Context, id: string): Promise<ProxyUser> {
  const accountId = accountOf(ctx);
  const [user] = isId('user', id) ? await proxyUsersById(ctx.em, [id], ctx.clock.now()) : [];
  if (user?.accountId !== accountId || user.removedAt || !mayReach(ctx.viewer, user.planId, user.id)) throw fail('proxy_user_not_found');
  return user;
}

/** The owner passes the password on, so a signed-in session may read it, and an API key that may generate lines. Throws `forbidden`. */
export function revealUserPassword({ viewer, providers }: Context, user: ProxyUser): string {
  const may = viewer.kind === 'session' || (viewer.kind === 'key' && viewer.scopes.includes('generate'));
  if (!may || viewer.accountId !== user.accountId) throw fail('forbidden');
  return secretFor(viewer, () => unseal(user.passwordSealed, providers.secrets.sealing, user.id));
}

/** Makes users, and returns them in the order of `given`. Throws `plan_not_found`, `proxy_users_full`, `parameter_invalid`, `pool_unknown`. */
export const createProxyUsers = (ctx: Context, planId: string, given: readonly UserTermsInput[]): Promise<ProxyUser[]> =>
  inTransaction(ctx, async (tx) => {
    const { em, clock, providers } = tx;
    if (given.length < 1 || given.length > CREATED_AT_ONCE)
      throw fail('parameter_invalid', { field: 'users', reason: because('list_too_long', { name: 'users', max: CREATED_AT_ONCE }) });
    const terms = given.map((each) => changedTerms(NO_TERMS, { ...each, name: each.name ?? '' }));
    const plan = await lockedPlan(em, ownerOf(ctx, planId), isId('plan', planId) ? planId : '');
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
    // A member with access to the user alone has its lines; what it may do is decided by who has the plan.
    if (type !== 'proxy_user.reset' && !mayReach(tx.viewer, planId)) throw fail('team_role_missing');
    await lockedPlan(tx.em, accountId, planId);
    const user = await readProxyUser(tx, id);
    await change(tx, user);
    await appendEvents(tx.em, eventOf(type, user, tx.clock.now()));
    const [changed] = await proxyUsersById(tx.em, [id], tx.clock.now());
    return changed as ProxyUser;
  });

/** Changes a user; members that are left out stay as they are. Throws `proxy_user_not_found`, `parameter_invalid`, `pool_unknown`. */
export const changeProxyUser = (ctx: Context, id: string, given: UserTermsInput): Promise<ProxyUser> =>
  changeUser(ctx, id, 'proxy_user.changed', ({ em }, user) => saveUserTerms(em, id, changedTerms(user, given)));

/** Makes a new password. Lines with the old one are refused from now on, and their open connections end. Throws `proxy_user_not_found`. */
export const resetUserPassword = (ctx: Context, id: string): Promise<ProxyUser> =>
  changeUser(ctx, id, 'proxy_user.reset', ({ em, providers }) => {
    const { sealed, fingerprint } = newPassword(id, providers.secrets.sealing);
    return saveUserPassword(em, id, sealed, fingerprint);
  });

/** Lets the total limit count from now on; the use until now stays in every sum. Throws `proxy_user_not_found`. */
export const renewProxyUser = (ctx: Context, id: string): Promise<ProxyUser> =>
  changeUser(ctx, id, 'proxy_user.changed', ({ em }) => countFromNow(em, id));

/** Removes a user. It can no longer log in; its use still counts for the plan. Throws `proxy_user_not_found`. */
export const removeProxyUser = (ctx: Context, id: string): Promise<ProxyUser> =>
  changeUser(ctx, id, 'proxy_user.removed', ({ em, clock }) => markRemoved(em, id, clock.now()));

export interface UserPageAddress {
  url: string;
  user: ProxyUser;
}

/** Makes an address at which anybody can read the user's use and limits, until it is revoked; a former address stops working. */
export async function makeUserPage(ctx: Context, id: string): Promise<UserPageAddress> {
  const token = newToken();
  const user = await changeUser(ctx, id, 'proxy_user.page_made', ({ em, clock }) =>
    setUserPage(em, id, { hash: hashToken(token), madeAt: clock.now() }),
  );
  return { url: `${ctx.providers.publicUrl}/use/${token}`, user };
}

export const revokeUserPage = (ctx: Context, id: string): Promise<ProxyUser> =>
  changeUser(ctx, id, 'proxy_user.page_revoked', ({ em }) => setUserPage(em, id, null));

/** The user whose page has this address. Throws `list_not_found`. */
export async function readUserPage({ em, clock }: Context, token: string): Promise<ProxyUser> {
  const user = await proxyUserByPage(em, hashToken(token), clock.now());
  if (!user) throw fail('list_not_found');
  return user;
}
