// Passkeys: adding one to an account, removing it, and logging in with it.
import { MINUTE, after } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import { type Account, existingAccount, openAccount } from '../entities/account.ts';
import {
  type Passkey,
  deletePasskey,
  existingPasskey,
  insertPasskey,
  markPasskeyUsed,
  passkeyOfAccount,
  passkeyWithCredential,
  passkeysOfAccount,
} from '../entities/passkey.ts';
import { insertChallenge, takeCeremony } from '../entities/sign-in-challenge.ts';
import type { IdentityContext } from '../context.ts';
import type { Ceremony } from '../providers/passkeys.ts';
import { record } from './activity.ts';
import { type DeviceTokens, knownDevice, startsOf } from './known-devices.ts';
import { requireOtherSignInMethod } from './sign-in-method.ts';
import { type NewSession, openSession } from './open-session.ts';
import { reauthenticate } from './reauthentication.ts';
import { factorsOf, strengthenSession, notifyFactorsChanged } from './second-factor.ts';
import { requireEnrolment } from './staff-enrolment.ts';
import { firstCodes } from './totp.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';

const CEREMONY_MS = 5 * MINUTE;
/** Spec is silent: the most passkeys of an account. */
const MAX_PASSKEYS = 20;

type Purpose = 'PASSKEY_SIGN_IN' | 'PASSKEY_REGISTRATION';

export interface StartedCeremony {
  /** The caller returns it at the end, which proves who began the ceremony. */
  token: string;
  /** JSON for the browser's navigator.credentials. */
  options: string;
}

async function begin(
  ctx: IdentityContext,
  purpose: Purpose,
  { challenge, options }: Ceremony,
  accountId: string | null,
): Promise<StartedCeremony> {
  const token = newToken();
  await insertChallenge(ctx.em, {
    id: newId('chal', ctx.clock),
    tokenHash: hashToken(token),
    purpose,
    accountId,
    webauthnChallenge: challenge,
    expiresAt: after(ctx.clock.now(), CEREMONY_MS),
  });
  return { token, options: JSON.stringify(options) };
}

/** Uses up a ceremony, whether it succeeds or not, and returns its challenge. Errors: challenge_invalid. */
async function finish(ctx: IdentityContext, purpose: Purpose, token: string, accountId: string | null): Promise<string> {
  const found = await takeCeremony(ctx.em, { tokenHash: hashToken(token), purpose, accountId }, ctx.clock.now());
  if (!found?.webauthnChallenge) throw fail('challenge_invalid');
  return found.webauthnChallenge;
}

/** Begins to add a passkey. Errors: credentials_wrong, sign_in_again, enrolment_link_needed, action_not_allowed (20 of them), too_many_attempts. */
export async function startPasskey(ctx: IdentityContext, password: string | null | undefined): Promise<StartedCeremony> {
  const account = await reauthenticate(ctx, password);
  await requireEnrolment(ctx, account);
  const known = await passkeysOfAccount(ctx.em, account.id);
  if (known.length >= MAX_PASSKEYS) throw fail('action_not_allowed', { reason: because('too_many_passkeys', { max: MAX_PASSKEYS }) });
  const ceremony = await ctx.providers.passkeys.register({ id: account.id, name: account.email ?? ctx.providers.brand }, known);
  return begin(ctx, 'PASSKEY_REGISTRATION', ceremony, account.id);
}

/**
 * Adds the passkey that the browser has created. Returns recovery codes when it is the account's first factor, or no codes are left. Errors: challenge_invalid,
 * enrolment_link_needed, passkey_invalid, parameter_invalid.
 */
export async function addPasskey(
  ctx: IdentityContext,
  input: { token: string; response: string; name: string },
): Promise<{ passkey: Passkey; codes: string[] }> {
  const accountId = accountOf(ctx);
  const name = input.name.trim();
  if (name === '' || name.length > TEXT_MAX.passkeyName)
    throw fail('parameter_invalid', { field: 'name', reason: because('name_length', { max: TEXT_MAX.passkeyName }) });
  await requireEnrolment(ctx, await existingAccount(ctx.em, accountId));
  const challenge = await finish(ctx, 'PASSKEY_REGISTRATION', input.token, accountId);
  const made = await ctx.providers.passkeys.registered(toJson(input.response), challenge);
  if (!made) throw fail('passkey_invalid');
  const id = newId('pass', ctx.clock);
  return inTransaction(ctx, async (tx) => {
    const first = (await factorsOf(tx, accountId)).length === 0;
    const row = { id, accountId, name, ...made, publicKey: Buffer.from(made.publicKey), createdAt: ctx.clock.now() };
    if (!(await insertPasskey(tx.em, row))) throw fail('passkey_invalid');
    await record(tx, { type: 'account.passkey_added', accountId, subject: id, data: { name } });
    await strengthenSession(tx);
    await notifyFactorsChanged(tx, accountId, { change: 'passkey_added', name });
    const codes = await firstCodes(tx, accountId, first);
    return { passkey: await existingPasskey(tx.em, id), codes };
  });
}

/** Errors: passkey_not_found, last_way_in, credentials_wrong, sign_in_again, too_many_attempts. */
export async function removePasskey(ctx: IdentityContext, input: { id: string; password?: string | null | undefined }): Promise<Account> {
  const account = await reauthenticate(ctx, input.password);
  await inTransaction(ctx, async (tx) => {
    const passkey = await passkeyOfAccount(tx.em, input.id, account.id);
    if (!passkey) throw fail('passkey_not_found');
    await requireOtherSignInMethod(tx, account.id, { passkey: passkey.id });
    await deletePasskey(tx.em, passkey.id);
    await record(tx, { type: 'account.passkey_removed', accountId: account.id, subject: passkey.id, data: { name: passkey.name } });
    await notifyFactorsChanged(tx, account.id, { change: 'passkey_removed', name: passkey.name });
  });
  return account;
}

/** Begins a log-in by passkey. Errors: too_many_attempts. */
export async function startPasskeySignIn(ctx: IdentityContext, devices?: DeviceTokens): Promise<StartedCeremony> {
  await ctx.providers.attempts.count(startsOf(ctx, await knownDevice(ctx, devices)));
  return begin(ctx, 'PASSKEY_SIGN_IN', await ctx.providers.passkeys.signIn(), null);
}

/** Logs in with a passkey, which counts as two factors, so no second one is asked for. Errors: challenge_invalid, passkey_invalid. */
export async function signInByPasskey(
  ctx: IdentityContext,
  input: { token: string; response: string; devices?: DeviceTokens },
): Promise<NewSession> {
  const { passkeys } = ctx.providers;
  const challenge = await finish(ctx, 'PASSKEY_SIGN_IN', input.token, null);
  const response = toJson(input.response);
  const credentialId = passkeys.claimOf(response);
  const passkey = credentialId === undefined ? null : await passkeyWithCredential(ctx.em, credentialId);
  const account = passkey && (await openAccount(ctx.em, passkey.accountId));
  const counter = account ? await passkeys.signedIn(response, challenge, passkey) : undefined;
  if (!account || counter === undefined) throw fail('passkey_invalid');
  await markPasskeyUsed(ctx.em, passkey.id, counter, ctx.clock.now());
  return openSession(ctx, account, { strong: true, devices: input.devices });
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fail('passkey_invalid');
  }
}
