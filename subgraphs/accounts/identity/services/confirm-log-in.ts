import { fail } from '#platform/errors.ts';
import type { IdentityContext } from '../context.ts';
import { type DeviceTokens, knownDevice, triesOf } from './known-devices.ts';
import { type NewSession, openSession } from './open-session.ts';
import { closeChallenge, openChallenge, warnOfWrongFactor } from './second-factor.ts';
import { useRecoveryCode, useTotp } from './totp.ts';

export interface ConfirmInput {
  challenge: string;
  method: 'TOTP' | 'RECOVERY_CODE';
  code: string;
  devices?: DeviceTokens;
}

/** Completes a log-in with a code as its second factor. Errors: challenge_invalid, code_wrong, too_many_attempts. */
export async function confirmLogIn(ctx: IdentityContext, { challenge, method, code, devices }: ConfirmInput): Promise<NewSession> {
  const { account, id, count } = await openChallenge(ctx, challenge);
  const device = await knownDevice(ctx, devices, account.id);
  const right = await ctx.providers.attempts.judge(triesOf(ctx, 'second_factor', account.id, device), async () => {
    await count();
    return (await (method === 'TOTP' ? useTotp : useRecoveryCode)(ctx, account.id, code)) || undefined;
  });
  if (!right) {
    await warnOfWrongFactor(ctx, account);
    throw fail('code_wrong', { field: 'code' });
  }
  await closeChallenge(ctx, id);
  return openSession(ctx, account, { strong: true, devices });
}
