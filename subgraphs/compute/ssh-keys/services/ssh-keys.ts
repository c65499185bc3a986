// The public keys that an account stores, to choose from when a server is bought or reinstalled.
import { inTransaction } from '#platform/database.ts';
import { type Context, accountOf } from '#platform/context.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';
import { parseSshPublicKey } from '../domain/ssh-public-key.ts';
import { type SshKeyRow, deleteSshKey, insertSshKey, lockSshKeys, nameSshKey, sshKeysOf } from '../entities/ssh-key.ts';

/** Spec is silent: more than most companies need, and few enough for one page. */
const STORED_MAX = 100;
const NAME = new RegExp(`^[^\\p{Cc}]{1,${TEXT_MAX.sshKeyName}}$`, 'u');

const refuse = (field: string, reason: Reason) => fail('parameter_invalid', { field, reason });

function checkName(name: string): string {
  const trimmed = name.trim();
  if (!NAME.test(trimmed)) throw refuse('name', because('ssh_key_name_length', { max: TEXT_MAX.sshKeyName }));
  return trimmed;
}

/** Stores a key; without a name its comment is the name. Errors: parameter_invalid, also for a key that is stored already. */
export function addSshKey(ctx: Context, { name, publicKey }: { name: string | null; publicKey: string }): Promise<SshKeyRow> {
  const accountId = accountOf(ctx);
  const parsed = parseSshPublicKey(publicKey);
  if (!parsed) throw refuse('publicKey', because('ssh_key_unfit'));
  const checked = checkName(name?.trim() || parsed.comment.slice(0, TEXT_MAX.sshKeyName));
  return inTransaction(ctx, async ({ em, clock }) => {
    await lockSshKeys(em, accountId);
    const stored = await sshKeysOf(em, accountId);
    const same = stored.find(({ fingerprint }) => fingerprint === parsed.fingerprint);
    if (same) throw refuse('publicKey', because('ssh_key_stored', { name: same.name }));
    if (stored.length >= STORED_MAX) throw refuse('publicKey', because('ssh_keys_too_many', { max: STORED_MAX }));
    const row = {
      id: newId('ssh', clock),
      accountId,
      name: checked,
      publicKey: parsed.line,
      fingerprint: parsed.fingerprint,
      createdAt: clock.now(),
    };
    await insertSshKey(em, row);
    return row;
  });
}

/** Renames a key. Errors: ssh_key_not_found, parameter_invalid. */
export async function renameSshKey(ctx: Context, id: string, name: string): Promise<SshKeyRow> {
  const renamed = await inTransaction(ctx, ({ em }) => nameSshKey(em, accountOf(ctx), id, checkName(name)));
  if (!renamed) throw fail('ssh_key_not_found');
  return renamed;
}

/** Deletes a key; servers that have it keep it. Errors: ssh_key_not_found. */
export async function removeSshKey(ctx: Context, id: string): Promise<string> {
  if (!(await inTransaction(ctx, ({ em }) => deleteSshKey(em, accountOf(ctx), id)))) throw fail('ssh_key_not_found');
  return id;
}
