// Which second factors an account has, and meeting one: the step between the password, or the chat platform, and the session.
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { hashToken } from '#platform/secrets.ts';
import { deviceOf } from '../domain/device.ts';
import { toMinute } from '../../mail/domain/mail-text.ts';
import type { SecondFactor } from '../domain/second-factor.ts';
import { Account } from '../entities/account.ts';
import { Passkey } from '../entities/passkey.ts';
import { RecoveryCode } from '../entities/recovery-code.ts';
import { Session } from '../entities/session.ts';
import { SignInChallenge } from '../entities/sign-in-challenge.ts';
import { Totp } from '../entities/totp.ts';
import type { Context } from '../../providers.ts';
import { record } from './activity.ts';
import { postMail } from '../../mail/services/mails.ts';
import { endSessions } from './sessions.ts';

/** Spec is silent: wrong codes per challenge. */
const ATTEMPTS = 5;

/** Empty when the account has none: then a password is enough. */
export async function factorsOf({ em }: Context, accountId: string): Promise<SecondFactor[]> {
  const totp = (await em.count(Totp, { accountId, confirmedAt: { $ne: null } })) > 0;
  const passkey = (await em.count(Passkey, { accountId })) > 0;
  if (!totp && !passkey) return [];
  const codes = (await em.count(RecoveryCode, { accountId, usedAt: null })) > 0;
  return [...(totp ? (['TOTP'] as const) : []), ...(passkey ? (['PASSKEY'] as const) : []), ...(codes ? (['RECOVERY_CODE'] as const) : [])];
}

/**
 * The account that a challenge's token stands for; `count` uses up one of its attempts. Errors, of both: challenge_invalid (unknown, over, used, or tried too often).
 */
export async function openChallenge(ctx: Context, token: string): Promise<{ id: string; account: Account; count(): Promise<void> }> {
  const tokenHash = hashToken(token);
  const now = ctx.clock.now();
  const open = { tokenHash, purpose: 'SECOND_FACTOR' as const, usedAt: null, expiresAt: { $gt: now }, attempts: { $lt: ATTEMPTS } };
  const challenge = await ctx.em.fork().findOne(SignInChallenge, open);
  if (!challenge?.accountId) throw fail('challenge_invalid');
  const account = await ctx.em.findOne(Account, { id: challenge.accountId, closedAt: null });
  if (!account) throw fail('challenge_invalid');
  return {
    id: challenge.id,
    account,
    // Before the code is looked at, so that codes tried in parallel count too.
    async count() {
      const { attempts } = challenge;
      if ((await ctx.em.nativeUpdate(SignInChallenge, { ...open, attempts }, { attempts: attempts + 1 })) !== 1)
        throw fail('challenge_invalid');
    },
  };
}

/** A wrong code after a right password is the surest sign of a stolen one: its owner is told, once an hour. */
export async function warnOfWrongFactor(ctx: Context, { id, email }: Account): Promise<void> {
  const { attempts, publicUrl } = ctx.providers;
  // Before the transaction: it has a connection already, and would wait for another while others wait for theirs.
  const tells = email && (await attempts.allows([{ kind: 'warning', name: id }]));
  await inTransaction(ctx, async (tx) => {
    await record(tx, { type: 'account.second_factor_failed', accountId: id, subject: id, actor: 'VISITOR' });
    if (tells)
      await postMail(tx, email, 'second_factor_wrong', {
        device: deviceOf(ctx.viewer.userAgent ?? ''),
        address: ctx.viewer.address,
        at: toMinute(ctx.clock.now()),
        url: `${publicUrl}/settings`,
      });
  });
}

/** Uses up a challenge; of several at once one succeeds. Errors: challenge_invalid. */
export const closeChallenge = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    if ((await tx.em.nativeUpdate(SignInChallenge, { id, usedAt: null }, { usedAt: ctx.clock.now() })) !== 1)
      throw fail('challenge_invalid');
  });

/** The session that adds a factor has just shown it: it counts as a strong one. All others end, since they never did. In the caller's transaction. */
export async function strengthenSession(ctx: Context): Promise<void> {
  const { viewer } = ctx;
  if (viewer.kind !== 'session') return;
  await ctx.em.nativeUpdate(Session, { id: viewer.sessionId, accountId: viewer.accountId }, { strongAt: ctx.clock.now() });
  await endSessions(ctx, viewer.accountId, viewer.sessionId);
}

/** Mails the owner what has changed. In the caller's transaction. */
export async function tellFactors(ctx: Context, accountId: string, what: string): Promise<void> {
  const account = await ctx.em.findOneOrFail(Account, { id: accountId });
  if (account.email) await postMail(ctx, account.email, 'factors_changed', { what, url: `${ctx.providers.publicUrl}/settings` });
}
