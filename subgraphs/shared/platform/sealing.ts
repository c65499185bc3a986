// Encryption of values that must be stored and read again, such as proxy passwords: AES-256-GCM, with the id of the key in front, so that the secret can be
// replaced.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export interface SealingKey {
  /** Four bytes that identify the key and reveal nothing about it. */
  id: Buffer;
  key: Buffer;
}

/** The present key seals; previous keys only open. */
export type SealingKeys = readonly [present: SealingKey, ...previous: SealingKey[]];

/** The first byte of a value that names its key. The first release wrote values without a key id: they may begin with any byte. */
const NAMED = 0xe6;
const [ID_BYTES, NONCE_BYTES, TAG_BYTES] = [4, 12, 16];

export const sealingKeyOf = (key: Buffer): SealingKey => ({
  id: createHash('sha256').update('egress sealing key').update(key).digest().subarray(0, ID_BYTES),
  key,
});

/** `context` (for example the row's id) binds the sealed value to its place. */
export function seal(plain: string, [{ id, key }]: SealingKeys, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([Buffer.of(NAMED), id, nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when none of the keys sealed the value for this context, or the value was altered. */
export function unseal(sealed: Buffer, keys: SealingKeys, context: string): string {
  const opened = openByAny(sealed, keys, context);
  if (!opened) throw new Error('A sealed value was not sealed with SECRET, nor with one before it, or not for its place.');
  return opened.plain;
}

/** The key that sealed the value for this context; undefined when none did, or the value was altered. */
export const sealedBy = (sealed: Buffer, keys: SealingKeys, context: string): SealingKey | undefined =>
  openByAny(sealed, keys, context)?.by;

/** Whether the value was sealed with the present key. */
export const isSealedByPresent = (sealed: Buffer, keys: SealingKeys): boolean => keyNamed(sealed, keys) === keys[0];

const keyNamed = (sealed: Buffer, keys: SealingKeys): SealingKey | undefined =>
  sealed[0] === NAMED ? keys.find(({ id }) => id.equals(sealed.subarray(1, 1 + ID_BYTES))) : undefined;

function openByAny(sealed: Buffer, keys: SealingKeys, context: string): { plain: string; by: SealingKey } | undefined {
  const named = keyNamed(sealed, keys);
  const plain = named && open(sealed.subarray(1 + ID_BYTES), named, context);
  if (plain !== undefined && named) return { plain, by: named };
  for (const by of keys) {
    const unnamed = open(sealed, by, context);
    if (unnamed !== undefined) return { plain: unnamed, by };
  }
  return undefined;
}

function open(sealed: Buffer, { key }: SealingKey, context: string): string | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
