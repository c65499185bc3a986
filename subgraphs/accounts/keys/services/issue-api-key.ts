// What support does with keys. A key is shown in full only in the answer that issues it. Callers have checked that the viewer is a member of support.
import { HOUR, after } from '#platform/clock.ts';
import { refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { hashToken } from '#platform/secrets.ts';
import { type ApiKeyTerms, checkTerms } from '../domain/api-key-terms.ts';
import { makeApiKey, maskApiKey, statusOfKey } from '../domain/api-key.ts';
import { openAccount } from '../../identity/entities/account.ts';
import { type ApiKey, insertKey, keyWithId } from '../entities/api-key.ts';
import { closeKeyRequest, openRequestToReplace } from '../entities/key-request.ts';
import type { KeysContext } from '../context.ts';
import { record } from '../../identity/services/activity.ts';
import { revokeKey } from './api-keys.ts';
import { postMail } from '../../mail/services/mails.ts';

export interface IssuedKey {
  key: string;
  row: ApiKey;
}

export const MAX_OVERLAP_HOURS = 24;

/** Issues a key. `documentsOnly`: it asks registered documents alone; `requestId`: the request of the owner that it answers. Errors: account_not_found, own_account_refused, parameter_invalid. */
export async function issueApiKey(
  ctx: KeysContext,
  input: { accountId: string; expiresAt: Date | null; terms?: ApiKeyTerms; documentsOnly?: boolean; requestId?: string | null | undefined },
): Promise<IssuedKey> {
  refuseOwnAccount(ctx, input.accountId);
  const terms = input.terms ?? checkTerms({ kind: 'STANDARD' });
  if (input.expiresAt && input.expiresAt <= ctx.clock.now())
    throw fail('parameter_invalid', { field: 'expiresAt', reason: because('key_expiry_past') });
  return inTransaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    const account = await openAccount(tx.em, input.accountId);
    if (!account) throw fail('account_not_found');
    const { key, prefix, lastFour } = makeApiKey(ctx.providers.keyEnvironment);
    const row = {
      id: newId('key', ctx.clock),
      accountId: account.id,
      hash: hashToken(key),
      prefix,
      lastFour,
      ...terms,
      createdAt: now,
      warnedDays: null,
      expiresAt: input.expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      lastUsedAddress: null,
      orderGrantedMinor: 0,
      orderCeilingMinor: 0,
      documentsOnly: input.documentsOnly ?? false,
    };
    await insertKey(tx.em, row);
    if (input.requestId) await closeRequest(tx, { id: input.requestId, accountId: account.id }, 'ISSUED');
    await record(tx, { type: 'api_key.issued', accountId: account.id, subject: row.id, data: { masked: maskApiKey(row) } });
    if (account.email)
      await postMail(tx, account.email, 'key_issued', { masked: maskApiKey(row), url: `${ctx.providers.publicUrl}/developers` });
    return { key, row };
  });
}

/**
 * Issues a key in place of an old one, with the same terms, but without orders: support grants them anew. The old one works on for the overlap, 0 to 24
 * hours: the one given, else the one that the owner asked for, else none. Errors: key_not_found, key_not_active, own_account_refused, parameter_invalid.
 */
export async function rotateApiKey(ctx: KeysContext, input: { id: string; overlapHours?: number | null | undefined }): Promise<IssuedKey> {
  return inTransaction(ctx, async (tx) => {
    const now = ctx.clock.now();
    const old = await keyWithId(tx.em, input.id);
    if (!old) throw fail('key_not_found');
    if (statusOfKey(old, now) !== 'ACTIVE') throw fail('key_not_active');
    const request = await openRequestToReplace(tx.em, old.id);
    const hours = checkOverlap(input.overlapHours ?? request?.overlapHours ?? 0);
    const { kind, scopes, allowedAddresses, documentsOnly } = old;
    const issued = await issueApiKey(tx, {
      accountId: old.accountId,
      expiresAt: null,
      terms: { kind, scopes, allowedAddresses },
      documentsOnly,
      requestId: request?.id,
    });
    if (hours === 0) await revokeKey(tx, old);
    else {
      const until = after(now, hours * HOUR);
      if (!old.expiresAt || old.expiresAt > until) old.expiresAt = until;
      // The owner has the successor already, so needs no mail about the end of this key.
      old.warnedDays = 0;
      await record(tx, {
        type: 'api_key.replaced',
        accountId: old.accountId,
        subject: old.id,
        data: { by: issued.row.id, overlapHours: hours },
      });
    }
    return issued;
  });
}

export function checkOverlap(hours: number): number {
  if (!Number.isInteger(hours) || hours < 0 || hours > MAX_OVERLAP_HOURS)
    throw fail('parameter_invalid', {
      field: 'overlapHours',
      reason: because('key_overlap_hours', { max: MAX_OVERLAP_HOURS }),
    });
  return hours;
}

/** Closes a request in the caller's transaction. Errors: request_not_found. */
export async function closeRequest(
  ctx: KeysContext,
  which: { id: string; accountId?: string },
  status: 'ISSUED' | 'DECLINED',
): Promise<void> {
  if (!(await closeKeyRequest(ctx.em, which, status, ctx.clock.now()))) throw fail('request_not_found');
}
