// Backups in a bucket with the API of S3.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TestClock, systemClock } from '#platform/clock.ts';
import { fetchBackups, openMirror } from '#platform/backup/mirror.ts';
import { openObjectStore } from '#platform/backup/object-store.ts';
import { type SandboxBucket, startBucket } from '../../../../../sandbox/objects/bucket.ts';
import { scratchFolder } from './backup-world.ts';

const MIB = 1_048_576;
let scratch: ReturnType<typeof scratchFolder>;
let bucket: SandboxBucket;
beforeAll(async () => {
  scratch = scratchFolder();
  bucket = await startBucket({ clock: systemClock, pageSize: 3 });
});
afterAll(async () => {
  await bucket.close();
  scratch.remove();
});
beforeEach(() => {
  bucket.objects.clear();
  bucket.faults.length = 0;
  bucket.locked = false;
});

const storeAt = (url = bucket.url, more: Partial<SandboxBucket['keys']> = {}) =>
  openObjectStore({ url, ...bucket.keys, ...more, partBytes: 5 * MIB, pauseMs: 1 });

function fileOf(bytes: number): { file: string; content: Buffer } {
  const content = randomBytes(bytes);
  const file = scratch.at(`file-${randomBytes(4).toString('hex')}`);
  writeFileSync(file, content);
  return { file, content };
}

test.each([
  ['nothing', 0],
  ['a little', 1_000],
  ['exactly a part', 5 * MIB],
  ['more than two parts', 11 * MIB],
])('%s comes back as it was put', async (_, bytes) => {
  const store = storeAt(`${bucket.url}/shops/one & only`);
  const { file, content } = fileOf(bytes);
  await store.put('2026-11-23/a part.sealed', file);
  expect([...bucket.objects.keys()]).toEqual(['shops/one & only/2026-11-23/a part.sealed']);
  expect(await store.list()).toEqual([{ name: '2026-11-23/a part.sealed', bytes }]);
  await store.get('2026-11-23/a part.sealed', scratch.at('back'));
  expect(readFileSync(scratch.at('back')).equals(content)).toBe(true);
  expect(bucket.uploads()).toBe(0);
});

test('trouble is waited out, and an upload that fails leaves no parts that cost money', async () => {
  const store = storeAt();
  bucket.faults.push('SlowDown', 'SlowDown');
  await store.put('small', fileOf(10).file);
  bucket.faults.push('SlowDown', 'SlowDown', 'SlowDown', 'SlowDown', 'SlowDown');
  await expect(store.list()).rejects.toThrow(/^The store of backups at 127\.0\.0\.1:\d+ does not answer: SlowDown\.$/);
  const { file } = fileOf(11 * MIB);
  const put = store.put('large', file);
  await expect.poll(() => bucket.uploads()).toBe(1);
  bucket.faults.push('AccessDenied');
  await expect(put).rejects.toThrow('The store of backups refuses: AccessDenied');
  expect(bucket.uploads()).toBe(0);
  expect([...bucket.objects.keys()]).toEqual(['small']);
});

test.each([
  ['another secret', () => storeAt(bucket.url, { secret: 'wrong' }), 'SignatureDoesNotMatch'],
  ['another key', () => storeAt(bucket.url, { keyId: 'AKIAOTHER' }), 'InvalidAccessKeyId'],
  ['another region', () => storeAt(bucket.url, { region: 'us-east-1' }), 'AuthorizationHeaderMalformed'],
  ['another bucket', () => storeAt(bucket.url.replace('backups', 'others')), 'NoSuchBucket'],
])('%s is refused with the word of the store', async (_, store, code) => {
  await expect(store().list()).rejects.toThrow(`The store of backups refuses: ${code}`);
});

test('a clock that is wrong, a store that is away and an address without a bucket are sentences', async () => {
  const late = await startBucket({ clock: new TestClock(new Date('2020-01-01T00:00:00Z')) });
  const { url, keys } = late;
  await expect(openObjectStore({ url, ...keys }).list()).rejects.toThrow('RequestTimeTooSkewed');
  await late.close();
  await expect(openObjectStore({ url, ...keys, pauseMs: 1 }).list()).rejects.toThrow(/does not answer: .*ECONNREFUSED/);
  expect(() => storeAt('https://s3.example.com')).toThrow('BACKUP_S3_URL must name a bucket');
});

test('a folder of backups is copied, its manifests last, and what goes here goes there, but nothing of another machine', async () => {
  const folder = scratch.at('backups');
  const write = (name: string, content: string) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  bucket.objects.set('2020-01-01T00-00-00Z/manifest.json', Buffer.from('of a machine that was lost'));
  const mirror = await openMirror(folder, storeAt());
  write('2026-11-22T00-00-00Z/manifest.json', 'one');
  write('2026-11-22T00-00-00Z/database.sealed', 'one');
  write('log/00000001000000000000000A.partial.sealed', 'begun');
  write('2026-11-23T00-00-00Z.partial-0123abcd/database.sealed', 'half');
  expect(await mirror.copy()).toEqual({ put: 3, removed: 0, held: 0 });
  expect([...bucket.objects.keys()].at(-1)).toBe('2026-11-22T00-00-00Z/manifest.json');

  write('log/00000001000000000000000A.partial.sealed', 'moved');
  expect(await mirror.copy()).toEqual({ put: 1, removed: 0, held: 0 });
  expect(bucket.objects.get('log/00000001000000000000000A.partial.sealed')?.toString()).toBe('moved');
  expect(await mirror.copy()).toEqual({ put: 0, removed: 0, held: 0 });

  rmSync(join(folder, '2026-11-22T00-00-00Z'), { recursive: true });
  bucket.locked = true;
  expect(await mirror.copy()).toEqual({ put: 0, removed: 0, held: 2 });
  expect(bucket.objects.size).toBe(4);

  await fetchBackups(storeAt(), scratch.at('fetched'));
  expect(readdirSync(scratch.at('fetched')).toSorted()).toEqual(['2020-01-01T00-00-00Z', '2026-11-22T00-00-00Z', 'log']);
  await expect(fetchBackups(storeAt(), scratch.at('fetched'))).rejects.toThrow('has something in it');
});

test('a name in the store that leads out of the folder is refused', async () => {
  bucket.objects.set('../away', Buffer.from('x'));
  await expect(fetchBackups(storeAt(), scratch.at('away'))).rejects.toThrow('leads elsewhere: ../away');
});
