// The buffers that sockets read into: as large as their traffic needs, within what the node has memory for.
import { afterEach, expect, test } from 'vitest';
import { ReadBuffer } from '../../edge/read-buffer.ts';

const KIB = 1_024;
const MIB = 1_024 * KIB;
const open: ReadBuffer[] = [];
const opened = (count: number): ReadBuffer[] => {
  const buffers = Array.from({ length: count }, () => new ReadBuffer());
  open.push(...buffers);
  return buffers;
};
/** A read of this many bytes, or as many as fit, that are passed on at once. */
const read = (buffer: ReadBuffer, length: number): void => {
  buffer.take(Math.min(length, buffer.current.length));
  buffer.next(true);
};
const fill = (buffers: readonly ReadBuffer[]): void => {
  for (let turn = 0; turn < 8; turn++) for (const buffer of buffers) read(buffer, Infinity);
};
const sizes = (buffers: readonly ReadBuffer[]): number[] => [...new Set(buffers.map(({ current }) => current.length))];
afterEach(() => {
  for (const buffer of open.splice(0)) buffer.release();
});

test('one that is read full grows to a MiB, and shrinks again when little comes', () => {
  const [buffer] = opened(1) as [ReadBuffer];
  expect(buffer.current.length).toBe(2 * KIB);
  read(buffer, Infinity);
  expect(buffer.current.length).toBe(8 * KIB);
  fill([buffer]);
  expect(buffer.current.length).toBe(MIB);
  for (let turn = 0; turn < 8; turn++) read(buffer, 10);
  expect(buffer.current.length).toBe(2 * KIB);
});

test.each([
  [16, MIB],
  [17, 512 * KIB],
  [64, 256 * KIB],
  [1_024, 256 * KIB],
  [1_025, 128 * KIB],
])('%i fast ones have at most %i bytes each', (count, size) => {
  const buffers = opened(count);
  fill(buffers);
  expect(Math.max(...sizes(buffers))).toBe(size);
});

test('nine thousand fast ones have 64 KiB each, beyond the 256 MiB for large ones', () => {
  const buffers = opened(9_000);
  fill(buffers);
  expect(buffers.reduce((sum, { current }) => sum + current.length, 0)).toBeLessThanOrEqual(9_000 * 64 * KIB + 256 * MIB);
});

test('memory of sockets that end goes to the others', () => {
  const buffers = opened(64);
  fill(buffers);
  for (const buffer of buffers.splice(8)) buffer.release();
  fill(buffers);
  expect(sizes(buffers)).toEqual([MIB]);
});

test('bytes read into the shared buffer are kept when another socket reads', () => {
  const [one, other] = opened(2) as [ReadBuffer, ReadBuffer];
  one.current.write('first');
  const kept = one.take(5);
  other.current.write('other');
  expect(kept.toString()).toBe('first');
});

test('a buffer that is still in use is not read into', () => {
  const [buffer] = opened(1) as [ReadBuffer];
  read(buffer, Infinity);
  const held = buffer.take(100);
  expect(buffer.next(false).buffer).not.toBe(held.buffer);
  buffer.take(100);
  const before = buffer.current;
  expect(buffer.next(true)).toBe(before);
});
