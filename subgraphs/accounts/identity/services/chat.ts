// Log-in by the chat platform, and linking it to an account. People are identified by their id there. An e-mail address that the platform tells is ignored, so
// nobody gets into an account because of an equal address. Linking starts and ends in one session of the account.
import { MINUTE, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { seal, unseal } from '#platform/sealing.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import { type Account, existingOpenAccount } from '../entities/account.ts';
import { insertChatAttempt, takeChatAttempt } from '../entities/chat-attempt.ts';
import {
  deleteIdentity,
  existingIdentity,
  identityOfAccount,
  identityOfSubject,
  insertIdentity,
  linkIdentity,
  lockSubject,
} from '../entities/chat-identity.ts';
import type { IdentityContext } from '../context.ts';
import type { ChatPerson, ChatPlatform } from '../providers/chat-platform.ts';
import { record } from './activity.ts';
import { type DeviceTokens, knownDevice, startsOf } from './known-devices.ts';
import { type NewSession, openSession } from './open-session.ts';
import { reauthenticate } from './reauthentication.ts';
import { notifyFactorsChanged } from './second-factor.ts';
import { createAccount } from './sign-up.ts';
import { requireOtherSignInMethod } from './sign-in-method.ts';

/** Spec is silent: how long a person may take at the platform. */
const WALK_MS = 10 * MINUTE;

function platformOf({ providers }: IdentityContext): ChatPlatform {
  if (!providers.chat) throw fail('chat_not_available');
  return providers.chat;
}

/** The context of a session's owner: the gateway's chat operations have no viewer, only the session's token. Errors: session_invalid. */
async function asSession(ctx: IdentityContext, token: string): Promise<IdentityContext & { sessionId: string; accountId: string }> {
  const session = await ctx.providers.sessions.validate(ctx.em, token);
  if (!session) throw fail('session_invalid');
  const { sessionId, accountId } = session;
  const { address, userAgent, requestId } = ctx.viewer;
  return {
    ...ctx,
    viewer: { kind: 'session', accountId, sessionId, staff: false, address, requestId, ...(userAgent !== undefined && { userAgent }) },
    sessionId,
    accountId,
  };
}

/**
 * Begins a flow through the platform. Returns where the browser goes, and `binding`, a cookie that it must bring back. With the token of a session the flow
 * links that account. Errors: chat_not_available, session_invalid, credentials_wrong, sign_in_again, too_many_attempts.
 */
export async function startChat(
  ctx: IdentityContext,
  input: { token?: string | null | undefined; password?: string | null | undefined; devices?: DeviceTokens },
): Promise<{ url: string; binding: string }> {
  const platform = platformOf(ctx);
  let sessionId: string | null = null;
  if (input.token) {
    const own = await asSession(ctx, input.token);
    await reauthenticate(own, input.password);
    ({ sessionId } = own);
  } else await ctx.providers.attempts.count(startsOf(ctx, await knownDevice(ctx, input.devices)));
  const [state, binding, verifier] = [newToken(), newToken(), newToken()];
  const stateHash = hashToken(state);
  await insertChatAttempt(ctx.em, {
    stateHash,
    bindingHash: hashToken(binding),
    verifier: seal(verifier, ctx.providers.secrets.sealing, stateHash),
    sessionId,
    expiresAt: after(ctx.clock.now(), WALK_MS),
  });
  return { url: platform.addressOf(state, verifier), binding };
}

/**
 * Ends a flow, once. Returns a session; undefined when it has linked an account. Errors: chat_not_available, chat_failed (wrong, used or late state, another
 * browser, a code that the platform does not vouch for, a link whose session is over), chat_already_linked, action_not_allowed.
 */
export async function finishChat(
  ctx: IdentityContext,
  input: { state: string; code: string; binding: string; token?: string | null | undefined; devices?: DeviceTokens },
): Promise<NewSession | undefined> {
  const platform = platformOf(ctx);
  const stateHash = hashToken(input.state);
  const attempt = await takeChatAttempt(ctx.em, { stateHash, bindingHash: hashToken(input.binding), now: ctx.clock.now() });
  if (!attempt) throw fail('chat_failed');
  const person = await platform.personOf(input.code, unseal(attempt.verifier, ctx.providers.secrets.sealing, stateHash));
  if (!person) throw fail('chat_failed');
  if (!attempt.sessionId) return openSession(ctx, await accountOfPerson(ctx, person), { devices: input.devices });
  const own = input.token ? await asSession(ctx, input.token).catch(() => undefined) : undefined;
  if (own?.sessionId !== attempt.sessionId) throw fail('chat_failed');
  await link(own, own.accountId, person);
  return undefined;
}

/** The account of a person, which is created at their first log-in, without an e-mail address. */
async function accountOfPerson(ctx: IdentityContext, { subject, name }: ChatPerson): Promise<Account> {
  await inTransaction(ctx, async (tx) => {
    // Concurrent first log-ins must create only one account.
    await lockSubject(tx.em, subject);
    if (await identityOfSubject(tx.em, subject)) return;
    const accountId = await createAccount(tx, { email: null, passwordHash: null, language: ctx.viewer.language });
    await insertIdentity(tx.em, { subject, accountId, name, linkedAt: ctx.clock.now() });
    await record(tx, { type: 'account.chat_linked', accountId, subject: accountId, data: { name }, actor: 'OWNER' });
  });
  const em = ctx.em.fork();
  const { accountId } = await existingIdentity(em, subject);
  return existingOpenAccount(em, accountId);
}

const link = (ctx: IdentityContext, accountId: string, { subject, name }: ChatPerson): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    if (!(await linkIdentity(tx.em, { subject, accountId, name, linkedAt: ctx.clock.now() }))) {
      const taken = await identityOfSubject(tx.em, subject);
      if (taken?.accountId === accountId) return;
      if (taken) throw fail('chat_already_linked');
      throw fail('action_not_allowed', { reason: because('chat_linked_already') });
    }
    await record(tx, { type: 'account.chat_linked', accountId, subject: accountId, data: { name } });
    await notifyFactorsChanged(tx, accountId, { change: 'chat_linked', name });
  });

/** Removes the chat log-in from the account. Errors: credentials_wrong, sign_in_again, last_way_in, too_many_attempts. */
export async function unlinkChat(ctx: IdentityContext, password: string | null | undefined): Promise<Account> {
  const account = await reauthenticate(ctx, password);
  await inTransaction(ctx, async (tx) => {
    const identity = await identityOfAccount(tx.em, account.id);
    if (!identity) return;
    await requireOtherSignInMethod(tx, account.id, { chat: true });
    await deleteIdentity(tx.em, account.id);
    await record(tx, { type: 'account.chat_unlinked', accountId: account.id, subject: account.id, data: { name: identity.name } });
    await notifyFactorsChanged(tx, account.id, { change: 'chat_unlinked', name: identity.name });
  });
  return account;
}
