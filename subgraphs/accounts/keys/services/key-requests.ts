// Requests of owners for keys: customers cannot issue keys themselves (spec, Authentication).
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import type { Scope } from '#platform/identity.ts';
import { newId } from '#platform/ids.ts';
import { checkTerms } from '../domain/api-key-terms.ts';
import { type ApiKeyKind, maskApiKey, statusOfKey } from '../domain/api-key.ts';
import { existingAccount } from '../../identity/entities/account.ts';
import { keyOfAccount } from '../entities/api-key.ts';
import { type KeyRequest, countOpenKeyRequests, existingKeyRequest, insertKeyRequest } from '../entities/key-request.ts';
import type { KeysContext } from '../context.ts';
import { record } from '../../identity/services/activity.ts';
import { checkOverlap, closeRequest } from './issue-api-key.ts';
import { postMail } from '../../mail/services/mails.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';

/** Spec is silent: the most open requests of an account. */
const MAX_OPEN = 5;

export interface KeyWish {
  kind: ApiKeyKind;
  scopes?: Scope[] | null | undefined;
  allowedAddresses?: string[] | null | undefined;
  note?: string | null | undefined;
}

/** Errors: parameter_invalid, too_many_attempts (five are open). */
export function requestKey(ctx: KeysContext, wish: KeyWish): Promise<KeyRequest> {
  return ask(
    ctx,
    { ...checkTerms(wish), replaces: null, overlapHours: 0, note: wish.note ?? '' },
    `a ${wish.kind === 'PARTNER' ? 'partner' : 'standard'} key`,
  );
}

/**
 * Asks for a new key in place of one of the caller's, which works on for `overlapHours`. Errors: key_not_found, key_not_active, parameter_invalid,
 * too_many_attempts.
 */
export async function requestRotation(
  ctx: KeysContext,
  input: { id: string; overlapHours: number; note?: string | null | undefined },
): Promise<KeyRequest> {
  const overlapHours = checkOverlap(input.overlapHours);
  const key = await keyOfAccount(ctx.em, input.id, accountOf(ctx));
  if (!key) throw fail('key_not_found');
  if (statusOfKey(key, ctx.clock.now()) !== 'ACTIVE') throw fail('key_not_active');
  const { kind, scopes, allowedAddresses } = key;
  return ask(
    ctx,
    { kind, scopes, allowedAddresses, replaces: key.id, overlapHours, note: input.note ?? '' },
    `a new key in the place of ${maskApiKey(key)}, with ${overlapHours} h of overlap`,
  );
}

async function ask(
  ctx: KeysContext,
  wish: Pick<KeyRequest, 'kind' | 'scopes' | 'allowedAddresses' | 'replaces' | 'overlapHours' | 'note'>,
  what: string,
): Promise<KeyRequest> {
  const accountId = accountOf(ctx);
  if (wish.note.length > TEXT_MAX.keyRequestNote)
    throw fail('parameter_invalid', { field: 'note', reason: because('key_note_too_long', { max: TEXT_MAX.keyRequestNote }) });
  return inTransaction(ctx, async (tx) => {
    if ((await countOpenKeyRequests(tx.em, accountId)) >= MAX_OPEN)
      throw fail('too_many_attempts', { reason: because('requests_wait', { count: MAX_OPEN }) });
    const account = await existingAccount(tx.em, accountId);
    const id = newId('ask', ctx.clock);
    await insertKeyRequest(tx.em, { id, accountId, ...wish, createdAt: ctx.clock.now() });
    await record(tx, { type: 'api_key.requested', accountId, subject: id, data: { what } });
    const { publicUrl, supportEmail } = ctx.providers;
    await postMail(tx, supportEmail, 'key_asked', {
      account: account.email ?? accountId,
      what,
      url: `${publicUrl}/support/accounts/${accountId}`,
    });
    return existingKeyRequest(tx.em, id);
  });
}

/** Declines a request. Errors: request_not_found (none, or one that is answered). */
export const declineRequest = (ctx: KeysContext, id: string): Promise<KeyRequest> =>
  inTransaction(ctx, async (tx) => {
    await closeRequest(tx, { id }, 'DECLINED');
    const request = await existingKeyRequest(tx.em, id);
    await record(tx, { type: 'api_key.declined', accountId: request.accountId, subject: id });
    return request;
  });
