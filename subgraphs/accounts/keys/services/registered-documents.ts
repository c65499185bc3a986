// GraphQL documents that an account has registered, which a key may be bound to. The gateway has checked them against the schema.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { announceAccess } from '../../identity/entities/access-notice.ts';
import { lockAccount } from '../../identity/entities/account.ts';
import { record } from '../../identity/services/activity.ts';
import type { KeysContext } from '../context.ts';
import { maskApiKey, statusOfKey } from '../domain/api-key.ts';
import { type ApiKey, keyOfAccount } from '../entities/api-key.ts';
import {
  REGISTERED_MAX,
  type RegisteredDocument,
  countRegisteredDocuments,
  deleteRegisteredDocument,
  registeredDocumentsOf,
  storeRegisteredDocuments,
} from '../entities/registered-document.ts';

export const listRegisteredDocuments = (ctx: KeysContext): Promise<RegisteredDocument[]> => registeredDocumentsOf(ctx.em, accountOf(ctx));

/** Registers documents of an account, all or none; those that it has stay as they are. Errors: parameter_invalid (too many). */
export const addRegisteredDocuments = (
  ctx: KeysContext,
  accountId: string,
  documents: readonly Omit<RegisteredDocument, 'registeredAt'>[],
): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    await lockAccount(tx.em, accountId);
    await storeRegisteredDocuments(tx.em, accountId, documents, tx.clock.now());
    if ((await countRegisteredDocuments(tx.em, accountId)) > REGISTERED_MAX)
      throw fail('parameter_invalid', { field: 'documents', reason: because('documents_too_many', { max: REGISTERED_MAX }) });
  });

/** Keys that are bound to registered documents ask it no more, within seconds. Those that remain; of a hash that none has, all. */
export async function removeRegisteredDocument(ctx: KeysContext, hash: string): Promise<RegisteredDocument[]> {
  await deleteRegisteredDocument(ctx.em, accountOf(ctx), hash);
  return listRegisteredDocuments(ctx);
}

/** Binds a key to the documents that are registered, or lets it ask any. Errors: key_not_found, key_not_active. */
export const setDocumentsOnly = (ctx: KeysContext, { id, documentsOnly }: { id: string; documentsOnly: boolean }): Promise<ApiKey> =>
  inTransaction(ctx, async (tx) => {
    const accountId = accountOf(tx);
    const key = await keyOfAccount(tx.em, id, accountId);
    if (!key) throw fail('key_not_found');
    if (statusOfKey(key, tx.clock.now()) !== 'ACTIVE') throw fail('key_not_active');
    key.documentsOnly = documentsOnly;
    const data = { masked: maskApiKey(key), documentsOnly };
    await record(tx, { type: 'api_key.documents_only_set', accountId, subject: key.id, data });
    await announceAccess(tx.em, key.id);
    return key;
  });
