// The last step of every way in: it opens a session, or, where the account has a second factor, a challenge for it.
import { MINUTE, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { newId } from '#platform/ids.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import { deviceOf } from '../domain/device.ts';
import { toMinute } from '../../mail/domain/mail-text.ts';
import type { Account } from '../entities/account.ts';
import { countLogIns } from '../entities/activity.ts';
import { insertChallenge } from '../entities/sign-in-challenge.ts';
import type { IdentityContext } from '../context.ts';
import { MAX_AGENT_LENGTH, record } from './activity.ts';
import { type DeviceTokens, rememberDevice } from './known-devices.ts';
import { postMail } from '../../mail/services/mails.ts';
import { type SecondFactor, factorsOf } from './second-factor.ts';
import { refuseSuspended } from './suspension.ts';

export interface NewSession {
  /** The token of the session; while `secondFactors` are still needed, of the challenge. */
  token: string;
  expiresAt: Date;
  /** The factors that can complete the log-in; empty: the person is logged in. */
  secondFactors: SecondFactor[];
  account: Account;
  /** By this token the account knows the browser from now on; null until the person is logged in. */
  device: { token: string; expiresAt: Date } | null;
}

/** Spec is silent: how long a person has for the second factor. */
const CHALLENGE_MS = 10 * MINUTE;

/**
 * `strong`: the log-in has passed two factors, or used a passkey, which counts as two. `devices`: the tokens by which the browser was known until now. Errors:
 * account_suspended.
 */
export async function openSession(
  ctx: IdentityContext,
  account: Account,
  { strong = false, devices }: { strong?: boolean; devices?: DeviceTokens } = {},
): Promise<NewSession> {
  refuseSuspended(ctx, account);
  const secondFactors = strong ? [] : await factorsOf(ctx, account.id);
  return inTransaction(ctx, async (tx) => {
    if (secondFactors.length > 0) return { ...(await challenge(tx, account.id)), secondFactors, account, device: null };
    const from = { address: ctx.viewer.address, userAgent: (ctx.viewer.userAgent ?? '').slice(0, MAX_AGENT_LENGTH) };
    const known = (await countLogIns(tx.em, account.id, from.userAgent)) > 0;
    const first = !known && (await countLogIns(tx.em, account.id)) === 0;
    const { token, sessionId, expiresAt } = await ctx.providers.sessions.create(tx.em, account.id, { ...from, strong });
    await record(tx, {
      type: 'session.started',
      accountId: account.id,
      subject: sessionId,
      data: { device: deviceOf(from.userAgent) },
      actor: 'OWNER',
    });
    if (!known && !first && account.email)
      await postMail(tx, account.email, 'new_log_in', {
        device: deviceOf(from.userAgent),
        address: from.address,
        at: toMinute(ctx.clock.now()),
        url: `${ctx.providers.publicUrl}/settings`,
      });
    const device = await rememberDevice(tx, { accountId: account.id, sessionId, tokens: devices });
    return { token, expiresAt, secondFactors: [], account, device };
  });
}

async function challenge(ctx: IdentityContext, accountId: string): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken();
  const expiresAt = after(ctx.clock.now(), CHALLENGE_MS);
  await insertChallenge(ctx.em, {
    id: newId('chal', ctx.clock),
    tokenHash: hashToken(token),
    purpose: 'SECOND_FACTOR',
    accountId,
    webauthnChallenge: null,
    expiresAt,
  });
  return { token, expiresAt };
}
