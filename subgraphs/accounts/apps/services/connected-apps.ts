// The apps that an account has let in, and whose access token it is.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import type { Scope } from '#platform/identity.ts';
import { type ApiKey, keyOfAccount } from '../../keys/entities/api-key.ts';
import { statusOfKey } from '../../keys/domain/api-key.ts';
import { isAllowedFrom } from '../../keys/domain/api-key-terms.ts';
import { openAccount } from '../../identity/entities/account.ts';
import { record } from '../../identity/services/activity.ts';
import { refuseSuspended } from '../../identity/services/suspension.ts';
import type { KeysContext } from '../../keys/context.ts';
import { APP_NAME_LENGTH, MAX_APPS, toScopes } from '../domain/app-terms.ts';
import {
  type AppGrant,
  agreeToGrant,
  deleteGrantsOf,
  grantOfAccount,
  grantsOfAccount,
  keepRecord,
  tokenWithKey,
} from '../entities/oauth-record.ts';
import { endRecord, grantIdOf, recordId } from './oauth-records.ts';

export const connectedApps = (ctx: KeysContext, accountId: string): Promise<AppGrant[]> =>
  grantsOfAccount(ctx.em, accountId, ctx.clock.now());

export interface Agreement {
  grantId: string;
  accountId: string;
  keyId: string;
  scopes: Scope[];
  clientId: string;
  name: string;
  host: string;
}

/** The key that an app is let in by. Errors: key_not_found, key_not_active, parameter_invalid (scopes beyond the key's, or none). */
export async function keyForApp(
  ctx: KeysContext,
  { accountId, keyId, scopes }: { accountId: string; keyId: string; scopes: readonly Scope[] },
): Promise<ApiKey> {
  const key = await keyOfAccount(ctx.em, keyId, accountId);
  if (!key) throw fail('key_not_found');
  if (statusOfKey(key, ctx.clock.now()) !== 'ACTIVE') throw fail('key_not_active');
  if (scopes.length === 0 || scopes.some((scope) => !key.scopes.includes(scope)))
    throw fail('parameter_invalid', { field: 'scopes', reason: because('app_scopes_unfit') });
  return key;
}

/** Lets an app in, with some of the scopes of one of the account's keys. Errors: as `keyForApp`, account_not_found, too_many_apps, request_not_found. */
export function connectApp(ctx: KeysContext, agreement: Agreement): Promise<void> {
  const { grantId, accountId, keyId, scopes, clientId, name, host } = agreement;
  return inTransaction(ctx, async (tx) => {
    if (!(await openAccount(tx.em, accountId))) throw fail('account_not_found');
    await keyForApp(tx, agreement);
    const id = grantIdOf(grantId);
    const apps = await connectedApps(tx, accountId);
    if (apps.length >= MAX_APPS) throw fail('too_many_apps');
    const shown = { appName: name.slice(0, APP_NAME_LENGTH), appHost: host };
    if (!(await agreeToGrant(tx.em, id, { accountId, keyId, scopes, ...shown }))) throw fail('request_not_found');
    const [grant] = (await connectedApps(tx, accountId)).filter((app) => app.id === id);
    if (grant) await keepRecord(tx.em, recordId('Client', clientId), grant.expiresAt);
    await record(tx, { type: 'app.connected', actor: 'OWNER', accountId, subject: id, data: { name: shown.appName, host, scopes } });
  });
}

/** Ends an app's access: its tokens are refused by every process within a second. Errors: app_not_found. */
export function disconnectApp(ctx: KeysContext, id: string): Promise<string> {
  const accountId = accountOf(ctx);
  return inTransaction(ctx, async (tx) => {
    const grant = await grantOfAccount(tx.em, id, accountId);
    if (!grant) throw fail('app_not_found');
    await endRecord(tx, id);
    await record(tx, { type: 'app.disconnected', accountId, subject: id, data: { name: grant.appName ?? '', host: grant.appHost ?? '' } });
    return id;
  });
}

/** Ends all apps of an account that is being closed, in the caller's transaction. */
export const disconnectAppsOf = (ctx: KeysContext, accountId: string): Promise<void> => deleteGrantsOf(ctx.em, accountId);

/**
 * The caller that an access token stands for: its key, with the scopes that both have. It shares the limit of its key, by the digits of the key's hash. Errors:
 * key_unknown (also one that has ended), key_expired, key_revoked, account_suspended, api_not_allowed, address_not_allowed.
 */
export async function callerOfAccessToken(ctx: KeysContext, token: string) {
  const row = await tokenWithKey(ctx, recordId('AccessToken', token));
  const now = ctx.clock.now();
  if (!row || new Date(row.expires_at) <= now) throw fail('key_unknown');
  const keyEnds = row.key_expires_at === null ? null : new Date(row.key_expires_at);
  if (row.key_revoked_at !== null) throw fail('key_revoked');
  if (keyEnds && keyEnds <= now) throw fail('key_expired');
  refuseSuspended(ctx, { suspendedAt: row.suspended_at });
  if (!row.api_allowed) throw fail('api_not_allowed');
  if (!isAllowedFrom(row.allowed_addresses, ctx.viewer.address)) throw fail('address_not_allowed');
  ctx.providers.keyUse.record(ctx, { keyId: row.key_id, at: now, address: ctx.viewer.address });
  const { scope = '' } = JSON.parse(row.payload) as { scope?: string };
  const ends = new Date(row.expires_at);
  return {
    accountId: row.account_id,
    role: row.role,
    sessionId: null,
    keyId: row.key_id,
    keyHash: row.key_hash,
    scopes: toScopes(scope).filter((each) => row.grant_scopes.includes(each) && row.key_scopes.includes(each)),
    permissions: [],
    expiresAt: keyEnds && keyEnds < ends ? keyEnds : ends,
  };
}
