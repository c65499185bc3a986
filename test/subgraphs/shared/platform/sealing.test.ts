import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openJson, signJson } from '#platform/mac.ts';
import { type SealingKeys, isSealedByPresent, seal, unseal } from '#platform/sealing.ts';
import { secretsOf } from '#platform/secrets.ts';

const OLD = 'an old master secret of more than 32 characters';
const NEW = 'a new master secret of more than 32 characters';
const of = (SECRET: string) => secretsOf({ SECRET, DATA_DIR: '/nowhere' });
const WRONG = 'A sealed value was not sealed with SECRET';

/** Seals as the first release did, without the key's id. */
function sealUnnamed(plain: string, [{ key }]: SealingKeys, context: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

test('what is sealed opens at its place and nowhere else, whole and unaltered', () => {
  const { sealing } = of(NEW);
  const sealed = seal('geheim ✓', sealing, 'plan_1');
  expect(unseal(sealed, sealing, 'plan_1')).toBe('geheim ✓');
  expect(() => unseal(sealed, sealing, 'plan_2')).toThrow(WRONG);
  for (let at = 0; at < sealed.length; at++) {
    const altered = Buffer.from(sealed);
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
    expect(() => unseal(altered, sealing, 'plan_1'), `byte ${at}`).toThrow(WRONG);
  }
  for (const length of [0, 1, 27, sealed.length - 1]) expect(() => unseal(sealed.subarray(0, length), sealing, 'plan_1')).toThrow(WRONG);
});

test('with new,old both open, the first release too; sealed and signed is with the first', () => {
  const [old, both, fresh] = [of(OLD), of(`${NEW}, ${OLD}`), of(NEW)];
  for (const sealed of [seal('x', old.sealing, 'p'), sealUnnamed('x', old.sealing, 'p')]) {
    expect(unseal(sealed, both.sealing, 'p')).toBe('x');
    expect(isSealedByPresent(sealed, both.sealing)).toBe(false);
    expect(() => unseal(sealed, fresh.sealing, 'p')).toThrow(WRONG);
  }
  const sealed = seal('x', both.sealing, 'p');
  expect(isSealedByPresent(sealed, fresh.sealing)).toBe(true);
  expect(unseal(sealed, fresh.sealing, 'p')).toBe('x');

  for (const purpose of ['identity', 'offers', 'internal', 'edges'] as const) {
    expect(openJson(both[purpose], signJson(old[purpose], { a: 1 }))).toEqual({ a: 1 });
    expect(openJson(fresh[purpose], signJson(both[purpose], { a: 1 }))).toEqual({ a: 1 });
    expect(openJson(fresh[purpose], signJson(old[purpose], { a: 1 }))).toBeUndefined();
  }
});

test('texts that the first release sealed open whatever byte they begin with', () => {
  const { sealing } = of(OLD);
  for (let count = 0; count < 2_000; count++) expect(unseal(sealUnnamed('x', sealing, 'p'), sealing, 'p')).toBe('x');
});

test('a secret with a comma that is one secret stays one', () => {
  const one = 'sixteen chars ab,sixteen chars cd';
  expect(of(one).sealing).toHaveLength(1);
  expect(of(`${one}`).identity).toHaveLength(1);
});
