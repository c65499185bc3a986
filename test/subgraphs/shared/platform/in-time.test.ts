import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TooLate, inTime } from '#platform/in-time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What has become of the promises after so many milliseconds more. */
async function after(ms: number, promises: readonly Promise<unknown>[]): Promise<unknown[]> {
  const states: unknown[] = promises.map(() => 'waits');
  for (const [index, promise] of promises.entries())
    promise.then(
      (value) => (states[index] = value),
      (error: unknown) => (states[index] = error instanceof TooLate ? 'late' : error),
    );
  await vi.advanceTimersByTimeAsync(ms);
  return states;
}

const never = () => new Promise(() => {});

test('each of those that wait for the same time is late by its own beginning', async () => {
  const first = inTime(never(), 71);
  expect(await after(50, [first])).toEqual(['waits']);
  const second = inTime(never(), 71);
  expect(await after(30, [first, second])).toEqual(['late', 'waits']);
  expect(await after(40, [second])).toEqual(['waits']);
  expect(await after(5, [second])).toEqual(['late']);
});

test('what is settled in time stays so, and leaves no timer', async () => {
  const answered = inTime(Promise.resolve('answer'), 72);
  const failed = inTime(Promise.reject(new RangeError('no')), 72);
  expect(await after(0, [answered, failed])).toEqual(['answer', new RangeError('no')]);
  expect(vi.getTimerCount()).toBe(0);
  expect(await after(100, [answered])).toEqual(['answer']);
});

test('those that wait for other times do not wait for each other', async () => {
  const [long, short] = [inTime(never(), 500), inTime(never(), 20)];
  expect(await after(30, [long, short])).toEqual(['waits', 'late']);
  expect(await after(500, [long])).toEqual(['late']);
});
