// Creates the first member of staff, whom nobody can appoint. Whoever can read what the platform prints at its start, or can run the command, has access to the
// machine, and so may do this.
import { HOUR, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { hashToken, randomBase62 } from '#platform/secrets.ts';
import type { SettingState } from '#platform/setting-state.ts';
import type { VendorFinding } from '#platform/vendor-check.ts';
import type { Context } from '../../context.ts';
import { checkEmail } from '../../identity/domain/password.ts';
import { accountWithEmail } from '../../identity/entities/account.ts';
import { forgetAllSetUpCodes, insertSetUpCode, isSetUpCode, lockSetUp } from '../../identity/entities/set-up-code.ts';
import { record } from '../../identity/services/activity.ts';
import { requireFitPassword } from '../../identity/services/fit-password.ts';
import { networksOf, waiterOf } from '../../identity/services/known-devices.ts';
import { createAccount } from '../../identity/services/sign-up.ts';
import { issueEnrolment } from '../../identity/services/staff-enrolment.ts';
import { isStaffEmpty } from '../../identity/services/staff.ts';
import { checkVendors } from './vendor-checks.ts';

/** Characters of base 62: 119 bits. */
const CODE_LENGTH = 20;

export interface SetUpCode {
  code: string;
  url: string;
  expiresAt: Date;
}

/** Makes a further code, which is shown only this once; codes that were printed before stay valid. Undefined when there is a member of staff. */
export const issueSetUpCode = (ctx: Context): Promise<SetUpCode | undefined> =>
  inTransaction(ctx, async (tx) => {
    if (!(await isStaffEmpty(tx))) return undefined;
    const code = randomBase62(CODE_LENGTH);
    const expiresAt = after(ctx.clock.now(), HOUR);
    await insertSetUpCode(tx.em, { codeHash: hashToken(code), expiresAt });
    return { code, url: `${ctx.providers.publicUrl}/set-up`, expiresAt };
  });

/** Whether the page exists: only while nobody is a member of staff. */
export const isSetUpOpen = (ctx: Context): Promise<boolean> => isStaffEmpty(ctx);

/** What an operator checks before the shop opens: which variables are set, and what `doctor` finds out about the outside systems. */
export interface SetUpState {
  settings: readonly SettingState[];
  findings: readonly VendorFinding[];
}

/** Checks the set-up; the code stays valid. Errors: code_wrong, set_up_done, too_many_attempts. */
export async function checkSetUp(ctx: Context, code: string): Promise<SetUpState> {
  await requireCode(ctx, code);
  return { settings: ctx.providers.settings, findings: await checkVendors(ctx, 'check') };
}

/**
 * Creates the first member of staff, once, and a token by which they set up the second factor at the log-in that follows. The code proves that it is the
 * operator, so the address needs no link by mail. Errors: code_wrong, set_up_done, email_invalid, password_unfit, parameter_invalid, too_many_attempts.
 */
export async function finishSetUp(
  ctx: Context,
  input: { code: string; email: string; password: string },
): Promise<{ email: string; enrolment: string }> {
  await requireCode(ctx, input.code);
  const email = checkEmail(input.email);
  await requireFitPassword(ctx, input.password, email);
  const passwordHash = await ctx.providers.passwords.hash(input.password, waiterOf(ctx, undefined));
  return inTransaction(ctx, async (tx) => {
    await lockSetUp(tx.em);
    // Another browser may have finished first.
    await requireOpen(tx);
    if (!(await isRight(tx, input.code))) throw fail('code_wrong');
    if (await accountWithEmail(tx.em, email)) throw fail('parameter_invalid', { field: 'email', reason: because('address_has_account') });
    const accountId = await createAccount(tx, { email, passwordHash, role: 'STAFF', language: ctx.viewer.language });
    await record(tx, { type: 'account.appointed', accountId, subject: accountId, actor: 'OWNER' });
    await forgetAllSetUpCodes(tx.em);
    const { url } = await issueEnrolment(tx, accountId);
    return { email, enrolment: new URL(url).searchParams.get('token') ?? '' };
  });
}

async function requireCode(ctx: Context, code: string): Promise<void> {
  await requireOpen(ctx);
  const isGiven = await ctx.providers.attempts.judge(networksOf(ctx, 'set_up'), async () =>
    (await isRight(ctx, code)) ? true : undefined,
  );
  if (!isGiven) throw fail('code_wrong');
}

async function requireOpen(ctx: Context): Promise<void> {
  if (!(await isStaffEmpty(ctx))) throw fail('set_up_done');
}

const isRight = ({ em, clock }: Context, code: string): Promise<boolean> => isSetUpCode(em, hashToken(code.trim()), clock.now());
