import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Outcome, SCENARIO, type Scenario, type SimulatedTime, simulate } from './simulation.ts';

/** `npm run prove` runs a thousand. */
const SEEDS = Number(process.env['SEEDS'] ?? 12);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const time: SimulatedTime = {
  now: () => Date.now(),
  advance: async (milliseconds) => void (await vi.advanceTimersByTimeAsync(milliseconds)),
};

async function outcomes(changes: Partial<Scenario>, seeds = SEEDS): Promise<Outcome[]> {
  const all: Outcome[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    all.push(await simulate(seed, { ...SCENARIO, ...changes }, time));
    vi.clearAllTimers();
  }
  return all;
}

describe('whatever the network does, nothing is charged that did not flow and no more is promised than was sold', () => {
  test.each<[string, Partial<Scenario>]>([
    ['a clean network', {}],
    ['a fifth of all messages lost or repeated up to twenty seconds late', { loss: 0.2 }],
    ['the same with clocks that run 1 % apart', { loss: 0.2, drift: 0.01 }],
  ])('%s: not a byte of over-use, and every byte is charged', async (_, changes) => {
    for (const { violations, forwarded, settled, overUse, leased } of await outcomes(changes)) {
      expect(violations).toEqual([]);
      expect(overUse).toBe(0n);
      expect(settled).toBe(forwarded);
      expect(leased).toBe(0n);
    }
  });

  test.each<[string, Partial<Scenario>]>([
    ['partitions of up to 26 seconds and a margin of 2', { loss: 0.1, partitions: true, marginMs: 2_000 }],
    ['partitions and the margin of the product', { loss: 0.1, partitions: true }],
    ['crashes', { loss: 0.1, crashes: true }],
    ['crashes that take the disk along', { loss: 0.1, crashes: true, journalLost: true }],
    ['crashes of nodes that go on for a minute', { loss: 0.1, crashes: true, journalLost: true, partitions: true, graceMs: 60_000 }],
    ['everything at once', { loss: 0.2, partitions: true, crashes: true, drift: 0.01, marginMs: 2_000 }],
  ])('%s: over-use within the leases that were given up', async (_, changes) => {
    for (const { violations, overUse, hidden, leased } of await outcomes(changes)) {
      expect(violations).toEqual([]);
      expect(overUse <= hidden).toBe(true);
      expect(leased).toBe(0n);
    }
  });

  test.each<[string, Partial<Scenario>]>([
    ['', {}],
    [', with a grace of a minute and a margin of two seconds beyond it', { graceMs: 60_000, marginMs: 2_000 }],
    [', with clocks that run 1 % apart besides', { graceMs: 60_000, marginMs: 2_000, drift: 0.01 }],
  ])('partitions shorter than the margin cost nothing%s', async (_, changes) => {
    for (const { overUse, forwarded, settled } of await outcomes({ loss: 0.1, partitions: true, ...changes })) {
      expect(overUse).toBe(0n);
      expect(settled).toBe(forwarded);
    }
  });
});

test('a ledger that added reports up, instead of taking their maximum, would be caught', async () => {
  for (const { violations } of await outcomes({ loss: 0.2, fault: 'adds-reports' }, 3)) expect(violations.join()).toContain('charged');
});
