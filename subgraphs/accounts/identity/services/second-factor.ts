// Which second factors an account has, and the step between the password or the chat platform and the session.
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { hashToken } from '#platform/secrets.ts';
import type { FactorChange } from '../domain/access-mails.ts';
import { deviceOf } from '../domain/device.ts';
import { toMinute } from '../../mail/domain/mail-text.ts';
import { type Account, existingAccount, openAccount } from '../entities/account.ts';
import { hasPasskey } from '../entities/passkey.ts';
import { countUnusedCodes } from '../entities/recovery-code.ts';
import { markStrong } from '../entities/session.ts';
import { countChallengeTry, owedSecondFactor, takeChallenge } from '../entities/sign-in-challenge.ts';
import { hasTotp } from '../entities/totp.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';
import { postMail } from '../../mail/services/mails.ts';
import { endSessions } from './sessions.ts';

/** The second factors that can complete a log-in by password or chat. */
export const SECOND_FACTORS = ['TOTP', 'RECOVERY_CODE', 'PASSKEY'] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];

/** Spec is silent: the most tries per challenge. */
const ATTEMPTS = 5;

/** The second factors that an account can use now; empty when it has none: then a password is enough. */
export async function factorsOf({ em }: IdentityContext, accountId: string): Promise<SecondFactor[]> {
  const totp = await hasTotp(em, accountId);
  const passkey = await hasPasskey(em, accountId);
  if (!totp && !passkey) return [];
  const codes = (await countUnusedCodes(em, accountId)) > 0;
  return [...(totp ? (['TOTP'] as const) : []), ...(passkey ? (['PASSKEY'] as const) : []), ...(codes ? (['RECOVERY_CODE'] as const) : [])];
}

/**
 * The account that a challenge's token stands for; `count` uses up one of the tries. Errors, of both: challenge_invalid (unknown, over, used, or tried too
 * often).
 */
export async function openChallenge(
  ctx: IdentityContext,
  token: string,
): Promise<{ id: string; account: Account; count(): Promise<void> }> {
  const now = ctx.clock.now();
  const challenge = await owedSecondFactor(ctx.em.fork(), hashToken(token), ATTEMPTS, now);
  if (!challenge?.accountId) throw fail('challenge_invalid');
  const account = await openAccount(ctx.em, challenge.accountId);
  if (!account) throw fail('challenge_invalid');
  return {
    id: challenge.id,
    account,
    // Called before the code is checked, so that codes tried in parallel count too.
    async count() {
      if (!(await countChallengeTry(ctx.em, challenge, now))) throw fail('challenge_invalid');
    },
  };
}

/** Records a wrong code, and mails the owner at most once an hour: a wrong code after a right password is the surest sign that the password was stolen. */
export async function warnOfWrongFactor(ctx: IdentityContext, { id, email }: Account): Promise<void> {
  const { attempts, publicUrl } = ctx.providers;
  // Counted before the transaction, which holds a connection already and would wait for a second one while others wait for theirs.
  const notifies = email && (await attempts.allows([{ kind: 'warning', name: id }]));
  await inTransaction(ctx, async (tx) => {
    await record(tx, { type: 'account.second_factor_failed', accountId: id, subject: id, actor: 'VISITOR' });
    if (notifies)
      await postMail(tx, email, 'second_factor_wrong', {
        device: deviceOf(ctx.viewer.userAgent ?? ''),
        address: ctx.viewer.address,
        at: toMinute(ctx.clock.now()),
        url: `${publicUrl}/settings`,
      });
  });
}

/** Uses up a challenge; of several concurrent calls one succeeds. Errors: challenge_invalid. */
export const closeChallenge = (ctx: IdentityContext, id: string): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    if (!(await takeChallenge(tx.em, id, ctx.clock.now()))) throw fail('challenge_invalid');
  });

/** Makes the session that has just added a factor a strong one, and ends all others, which never showed it. In the caller's transaction. */
export async function strengthenSession(ctx: IdentityContext): Promise<void> {
  const { viewer } = ctx;
  if (viewer.kind !== 'session') return;
  await markStrong(ctx.em, viewer.sessionId, viewer.accountId, ctx.clock.now());
  await endSessions(ctx, viewer.accountId, viewer.sessionId);
}

/** Mails the owner what has changed about the ways in. In the caller's transaction. */
export async function notifyFactorsChanged(ctx: IdentityContext, accountId: string, what: FactorChange): Promise<void> {
  const account = await existingAccount(ctx.em, accountId);
  if (account.email) await postMail(ctx, account.email, 'factors_changed', { what, url: `${ctx.providers.publicUrl}/settings` });
}
