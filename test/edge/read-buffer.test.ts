// What sockets read into: as large as their traffic wants, and all together no larger than the node can afford.
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
/** A read that leaves this much, as far as there is room, and is passed on at once. */
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

test('nine thousand fast ones have 64 KiB each, and 256 MiB together beside', () => {
  const buffers = opened(9_000);
  fill(buffers);
  expect(buffers.reduce((sum, { current }) => sum + current.length, 0)).toBeLessThanOrEqual(9_000 * 64 * KIB + 256 * MIB);
});

test('those that end leave their room to the others', () => {
  const buffers = opened(64);
  fill(buffers);
  for (const buffer of buffers.splice(8)) buffer.release();
  fill(buffers);
  expect(sizes(buffers)).toEqual([MIB]);
});

test('what the shared first one got is kept when another socket reads', () => {
  const [one, other] = opened(2) as [ReadBuffer, ReadBuffer];
  one.current.write('first');
  const kept = one.take(5);
  other.current.write('other');
  expect(kept.toString()).toBe('first');
});

test('what somebody still holds is not read into again', () => {
  const [buffer] = opened(1) as [ReadBuffer];
  read(buffer, Infinity);
  const held = buffer.take(100);
  expect(buffer.next(false).buffer).not.toBe(held.buffer);
  buffer.take(100);
  const before = buffer.current;
  expect(buffer.next(true)).toBe(before);
});
