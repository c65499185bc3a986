// The authenticator app and the recovery codes of an account.
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { seal, unseal } from '#platform/sealing.ts';
import { hashToken } from '#platform/secrets.ts';
import { RECOVERY_CODES, newRecoveryCode, plainCode } from '../domain/recovery-code.ts';
import { type Account, existingAccount } from '../entities/account.ts';
import { countUnusedCodes, replaceCodes, takeRecoveryCode } from '../entities/recovery-code.ts';
import { confirmedTotp, deleteTotp, insertTotp, takeTotpStep, unconfirmedTotp } from '../entities/totp.ts';
import { accountOf } from '#platform/context.ts';
import type { IdentityContext } from '../context.ts';
import { record } from './activity.ts';
import { proofTries, reauthenticate } from './reauthentication.ts';
import { factorsOf, strengthenSession, notifyFactorsChanged } from './second-factor.ts';
import { requireEnrolment } from './staff-enrolment.ts';

export interface Enrolment {
  /** Base 32, for typing. */
  secret: string;
  /** otpauth://, for scanning. */
  uri: string;
}

/**
 * Begins to set up an app. Log-ins do not ask for its codes before one has been shown. Errors: credentials_wrong, sign_in_again, enrolment_link_needed,
 * totp_exists, too_many_attempts.
 */
export async function startTotp(ctx: IdentityContext, password: string | null | undefined): Promise<Enrolment> {
  const { authenticator, brand, secrets } = ctx.providers;
  const account = await reauthenticate(ctx, password);
  await requireEnrolment(ctx, account);
  const secret = authenticator.newSecret();
  await inTransaction(ctx, async (tx) => {
    if (await confirmedTotp(tx.em, account.id)) throw fail('totp_exists');
    await deleteTotp(tx.em, account.id);
    await insertTotp(tx.em, {
      accountId: account.id,
      secret: seal(secret, secrets.sealing, account.id),
      createdAt: ctx.clock.now(),
    });
  });
  return { secret, uri: authenticator.uriOf(secret, account.email ?? brand) };
}

/**
 * Turns the app on by its first code. Returns recovery codes, which are shown this once; empty when the account has some already. Errors: code_wrong,
 * enrolment_link_needed, totp_missing, too_many_attempts.
 */
export async function confirmTotp(ctx: IdentityContext, code: string): Promise<string[]> {
  const accountId = accountOf(ctx);
  await requireEnrolment(ctx, await existingAccount(ctx.em, accountId));
  const codes = await ctx.providers.attempts.judge(proofTries(ctx), () => confirmNow(ctx, accountId, code));
  if (!codes) throw fail('code_wrong', { field: 'code' });
  return codes;
}

/** Undefined: the code is wrong. */
const confirmNow = (ctx: IdentityContext, accountId: string, code: string): Promise<string[] | undefined> =>
  inTransaction(ctx, async (tx) => {
    const totp = await unconfirmedTotp(tx.em, accountId);
    if (!totp) throw fail('totp_missing');
    const step = stepOf(tx, totp, code);
    if (step === undefined) return undefined;
    const first = (await factorsOf(tx, accountId)).length === 0;
    totp.confirmedAt = ctx.clock.now();
    totp.lastStep = step;
    await record(tx, { type: 'account.totp_added', accountId, subject: accountId });
    await strengthenSession(tx);
    await notifyFactorsChanged(tx, accountId, { change: 'totp_added' });
    return firstCodes(tx, accountId, first);
  });

/** Errors: credentials_wrong, sign_in_again, code_wrong, totp_missing, too_many_attempts. */
export async function removeTotp(ctx: IdentityContext, input: { password?: string | null | undefined; code: string }): Promise<Account> {
  const account = await reauthenticate(ctx, input.password);
  const right = await ctx.providers.attempts.judge(proofTries(ctx), () => removeNow(ctx, account.id, input.code));
  if (!right) throw fail('code_wrong', { field: 'code' });
  return account;
}

/** Undefined: the code is wrong. */
const removeNow = (ctx: IdentityContext, accountId: string, code: string): Promise<true | undefined> =>
  inTransaction(ctx, async (tx) => {
    if (!(await confirmedTotp(tx.em, accountId))) throw fail('totp_missing');
    if (!(await useTotp(tx, accountId, code)) && !(await useRecoveryCode(tx, accountId, code))) return undefined;
    await deleteTotp(tx.em, accountId);
    await record(tx, { type: 'account.totp_removed', accountId, subject: accountId });
    await notifyFactorsChanged(tx, accountId, { change: 'totp_removed' });
    return true;
  });

/**
 * The recovery codes after a factor was added; empty when the account has some left. The first factor voids earlier codes: somebody who had only the password
 * could have kept one to log in later. In the caller's transaction.
 */
export async function firstCodes(ctx: IdentityContext, accountId: string, first: boolean): Promise<string[]> {
  const left = first ? 0 : await countUnusedCodes(ctx.em, accountId);
  return left > 0 ? [] : replaceRecoveryCodes(ctx, accountId);
}

/** Makes new recovery codes; the old ones are void. Errors: credentials_wrong, sign_in_again, action_not_allowed (no second factor), too_many_attempts. */
export async function renewRecoveryCodes(ctx: IdentityContext, password: string | null | undefined): Promise<string[]> {
  const { id } = await reauthenticate(ctx, password);
  if ((await factorsOf(ctx, id)).length === 0) throw fail('action_not_allowed', { reason: because('second_factor_missing') });
  return inTransaction(ctx, async (tx) => {
    await record(tx, { type: 'account.recovery_codes_renewed', accountId: id, subject: id });
    await notifyFactorsChanged(tx, id, { change: 'recovery_codes_renewed' });
    return replaceRecoveryCodes(tx, id);
  });
}

/** Replaces the recovery codes, in the caller's transaction. */
async function replaceRecoveryCodes({ em }: IdentityContext, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await replaceCodes(
    em,
    accountId,
    codes.map((code) => hashToken(plainCode(code))),
  );
  return codes;
}

const stepOf = (
  { providers }: IdentityContext,
  { secret, accountId }: { secret: Buffer; accountId: string },
  code: string,
): number | undefined => providers.authenticator.stepOf(unseal(secret, providers.secrets.sealing, accountId), code);

/** Whether a code is right and was not used yet; of several concurrent calls one returns true. */
export async function useTotp(ctx: IdentityContext, accountId: string, code: string): Promise<boolean> {
  const totp = await confirmedTotp(ctx.em.fork(), accountId);
  const step = totp && stepOf(ctx, totp, code);
  if (step === undefined || step === null) return false;
  return takeTotpStep(ctx.em, accountId, step);
}

export const useRecoveryCode = (ctx: IdentityContext, accountId: string, code: string): Promise<boolean> =>
  takeRecoveryCode(ctx.em, accountId, hashToken(plainCode(code)), ctx.clock.now());
