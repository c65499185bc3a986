import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { backupKeys, sealed, unsealed } from '#platform/backup/sealed-stream.ts';

const PIECE = 65_536;
const key: Buffer = randomBytes(32);

async function* inChunks(bytes: Buffer, size = 10_007) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const all = async (source: AsyncIterable<Buffer>) => {
  const read: Buffer[] = [];
  for await (const bytes of source) read.push(bytes);
  return Buffer.concat(read);
};
const seal = (plain: Buffer) => all(sealed(inChunks(plain), key));
const open = (bytes: Buffer, by: Buffer = key) => all(unsealed(inChunks(bytes), by, 'database'));

test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 3 * PIECE + 7])('%i bytes come back as they were', async (length) => {
  const plain = randomBytes(length);
  const written = await seal(plain);
  expect((await open(written)).equals(plain)).toBe(true);
  expect(written.length).toBe(length + 16 * Math.max(1, Math.ceil(length / PIECE)));
});

describe('what was sealed is refused', () => {
  const plain = randomBytes(3 * PIECE + 100);
  const piece = PIECE + 16;
  const SAID = 'The part database of the backup was changed, or is not whole';
  const answer = (bytes: Buffer, by: Buffer = key) =>
    open(bytes, by).then(
      () => 'opened',
      (error: Error) => error.message,
    );

  test.each([1, 16, 100, 116, 117, piece, 2 * piece, 3 * piece])('when %i bytes of its end are missing', async (missing) => {
    const written = await seal(plain);
    expect(await answer(written.subarray(0, written.length - missing))).toContain(SAID);
  });
  test('when nothing of it is left', async () => {
    expect(await answer(Buffer.alloc(0))).toContain(SAID);
  });
  test('when a piece is missing in the middle, and when two have changed places', async () => {
    const written = await seal(plain);
    const [first, second, rest] = [written.subarray(0, piece), written.subarray(piece, 2 * piece), written.subarray(2 * piece)];
    expect(await answer(Buffer.concat([first, rest]))).toContain(SAID);
    expect(await answer(Buffer.concat([second, first, rest]))).toContain(SAID);
  });
  test('when something comes after it', async () => {
    const written = await seal(plain);
    expect(await answer(Buffer.concat([written, Buffer.from('x')]))).toContain(SAID);
    expect(await answer(Buffer.concat([written, written]))).toContain(SAID);
  });
  test('when a bit of it is another, wherever', async () => {
    const written = await seal(plain);
    for (const at of [0, piece - 1, piece, written.length - 1]) {
      const changed = Buffer.from(written);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await answer(changed)).toContain(SAID);
    }
  });
  test('by another key', async () => {
    expect(await answer(await seal(plain), randomBytes(32))).toContain(SAID);
  });
});

test('keys follow from passphrase, salt and part', async () => {
  const salt = randomBytes(32);
  const [keys, same, otherSalt, otherPassphrase] = await Promise.all([
    backupKeys('correct horse battery', salt),
    backupKeys('correct horse battery', salt),
    backupKeys('correct horse battery', randomBytes(32)),
    backupKeys('correct horse batterx', salt),
  ]);
  expect(same.part('database')).toEqual(keys.part('database'));
  const others = [keys.part('files'), otherSalt.part('database'), otherPassphrase.part('database')];
  for (const other of others) expect(other).not.toEqual(keys.part('database'));
  expect(keys.isMac('text', keys.mac('text'))).toBe(true);
  for (const wrong of ['', 'x', otherPassphrase.mac('text')]) expect(keys.isMac('text', wrong)).toBe(false);
});
