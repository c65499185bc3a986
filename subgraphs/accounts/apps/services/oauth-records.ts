// What the authorization server stores. Its ids are the codes, tokens and cookies themselves, so only their hashes are kept.
import { after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { hashToken } from '#platform/secrets.ts';
import { type StoredRecord, aliveRecord, consumeRecord, deleteExpired, deleteRecord, storeRecord } from '../entities/oauth-record.ts';
import { APP_LIFETIMES } from '../domain/app-terms.ts';
import { announceAccess } from '../../identity/entities/access-notice.ts';
import { networksOf } from '../../identity/services/known-devices.ts';
import type { KeysContext } from '../../keys/context.ts';

/** Stands for the record's own id in its payload. */
const OWN_ID = '<id>';
const SWEEP_ROWS = 5_000;

/** The stored form of an id of this kind. */
export const recordId = (kind: string, id: string): string => hashToken(`${kind}:${id}`);
export const grantIdOf = (id: string): string => recordId('Grant', id);

export interface RecordInput {
  kind: string;
  id: string;
  /** JSON of an object. */
  payload: string;
  /** Undefined: as long as clients are kept. */
  expiresInSeconds?: number | null | undefined;
  uid?: string | null | undefined;
  grantId?: string | null | undefined;
}

/** Errors: request_not_found (its grant has ended). */
export async function storeOAuthRecord(
  ctx: KeysContext,
  { kind, id, payload, expiresInSeconds, uid, grantId }: RecordInput,
): Promise<void> {
  const now = ctx.clock.now();
  const stored = await storeRecord(ctx.em, {
    id: recordId(kind, id),
    kind,
    payload: payload.replaceAll(id, OWN_ID),
    grantId: kind === 'Grant' ? grantIdOf(id) : grantId ? grantIdOf(grantId) : null,
    uid: uid ? hashToken(`${kind}:uid:${uid}`) : null,
    createdAt: now,
    expiresAt: after(now, expiresInSeconds ? expiresInSeconds * 1_000 : APP_LIFETIMES.Client),
  });
  if (!stored) throw fail('request_not_found');
}

/** Counts a registration of a client against the limits of the viewer's network. Errors: too_many_attempts. */
export const countRegistration = (ctx: KeysContext): Promise<void> => ctx.providers.attempts.count(networksOf(ctx, 'app'));

/** Undefined when there is none, it has expired, or its grant or key has ended. */
export async function oauthRecord(
  ctx: KeysContext,
  { kind, id, uid }: { kind: string; id?: string | null | undefined; uid?: string | null | undefined },
): Promise<StoredRecord | undefined> {
  const by = id ? { id: recordId(kind, id) } : { uid: hashToken(`${kind}:uid:${uid ?? ''}`) };
  const found = await aliveRecord(ctx.em, by, ctx.clock.now());
  return found && { ...found, payload: id ? found.payload.replaceAll(OWN_ID, id) : found.payload };
}

/** Marks a code or token as used; false when it was used before, by whichever process. */
export const consumeOAuthRecord = (ctx: KeysContext, { kind, id }: { kind: string; id: string }): Promise<boolean> =>
  consumeRecord(ctx.em, recordId(kind, id), ctx.clock.now());

/** Removes a record; when it is a grant, every process refuses its tokens within a second. */
export const removeOAuthRecord = (ctx: KeysContext, { kind, id }: { kind: string; id: string }): Promise<void> =>
  inTransaction(ctx, (tx) => endRecord(tx, recordId(kind, id)));

/** The same by its stored id, in the caller's transaction. */
export async function endRecord({ em }: Pick<KeysContext, 'em'>, id: string): Promise<void> {
  const keyId = await deleteRecord(em, id);
  if (keyId !== undefined) await announceAccess(em, keyId);
}

export const forgetOAuthRecords = (ctx: KeysContext): Promise<void> => deleteExpired(ctx.em, ctx.clock.now(), SWEEP_ROWS);
