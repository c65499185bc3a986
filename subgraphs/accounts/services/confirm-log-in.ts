import { fail } from '#shared/errors.ts';
import type { Context } from '../providers.ts';
import { type NewSession, openSession } from './open-session.ts';
import { closeChallenge, openChallenge } from './second-factor.ts';
import { useRecoveryCode, useTotp } from './totp.ts';

/** Meets the second factor of a log-in by a code. Errors: challenge_invalid, code_wrong, too_many_attempts. */
export async function confirmLogIn(
  ctx: Context,
  input: { challenge: string; method: 'TOTP' | 'RECOVERY_CODE'; code: string },
): Promise<NewSession> {
  const { id, account } = await openChallenge(ctx, input.challenge);
  await ctx.providers.attempts.count('second_factor', `account ${account.id}`);
  const right = await (input.method === 'TOTP' ? useTotp : useRecoveryCode)(ctx, account.id, input.code);
  if (!right) throw fail('code_wrong', { field: 'code' });
  await closeChallenge(ctx, id);
  await ctx.providers.attempts.forgive('second_factor', `account ${account.id}`);
  return openSession(ctx, account, { strong: true });
}
