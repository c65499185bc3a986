// Failed attempts are counted together for all processes: here two, each with its own connections, on one database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '#platform/clock.ts';
import { createMetrics } from '#platform/metrics.ts';
import { type RunningSubgraph, startSubgraph } from '#platform/subgraph.ts';
import type { AccountsProviders } from '../../../../subgraphs/accounts/context.ts';
import { forgetWhatIsOver } from '../../../../subgraphs/accounts/identity/services/retention.ts';
import { accounts } from '../../../../subgraphs/accounts/subgraph.ts';
import { type TestPlatform, startPlatform } from '../../../kit/platform.ts';
import { rowsOf } from '../../../kit/tables.ts';

let platform: TestPlatform;
let processes: RunningSubgraph<AccountsProviders>[];

beforeAll(async () => {
  platform = await startPlatform();
  processes = await Promise.all([0, 1].map(() => startSubgraph({ ...platform, metrics: createMetrics() }, accounts, { work: false })));
});

afterAll(async () => {
  await Promise.all((processes ?? []).map((each) => each.close()));
  await platform?.close();
});

const attemptsOf = (index: number) => {
  const { providers } = processes[index % 2]!.systemContext('test');
  return providers.attempts;
};
const pair = (name: string) => [{ kind: 'log_in', name } as const];
const ceiling = (name: string) => [{ kind: 'log_in_name', name } as const];
const wrong = () => Promise.resolve(undefined);
const right = () => Promise.resolve('right');
const refusals = (outcomes: PromiseSettledResult<unknown>[]) => outcomes.filter(({ status }) => status === 'rejected');
const race = (count: number, tries: ReturnType<typeof pair> | ReturnType<typeof ceiling>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => attemptsOf(index).judge(tries, wrong)));
const waits = async (tries: ReturnType<typeof pair>, index = 0): Promise<number> => {
  const [outcome] = await Promise.allSettled([attemptsOf(index).judge(tries, wrong)]);
  return outcome.status === 'rejected' ? ((outcome.reason as { meta: Record<string, number> }).meta['retry_after_seconds'] ?? NaN) : 0;
};
/** The windows in which failures are counted, with their names in hexadecimal. */
const rows = () =>
  rowsOf<{ name: string; points: number }>(
    platform.database.query,
    'accounts.attempt',
    {},
    { columns: `encode(name, 'hex') as name, points`, orderBy: 'name' },
  );

test('of 240 failures that race through two processes exactly a hundred are judged, and the rest wait for the hour', async () => {
  let judged = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 240 }, (_, index) =>
      attemptsOf(index).judge(ceiling('race'), () => {
        judged++;
        return wrong();
      }),
    ),
  );
  expect(judged).toBe(100);
  expect(refusals(outcomes)).toHaveLength(140);
  expect(refusals(outcomes)[0]).toMatchObject({ reason: { code: 'too_many_attempts', meta: { retry_after_seconds: 3_600 } } });
  platform.clock.advance(HOUR);
  expect(refusals(await race(100, ceiling('race')))).toHaveLength(0);
});

test('the wait doubles with each failure, from one second to fifteen minutes, and too early is no failure', async () => {
  for (let count = 0; count < 5; count++) expect(await waits(pair('grows'))).toBe(0);
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    expect(await waits(pair('grows'))).toBe(seconds);
    expect(await waits(pair('grows'), 1)).toBe(seconds);
    platform.clock.advance(seconds * SECOND);
    expect(await waits(pair('grows'))).toBe(0);
  }
});

test('an hour without a failure wipes the delay', async () => {
  await race(5, pair('forgets'));
  platform.clock.advance(59 * MINUTE);
  expect(await waits(pair('forgets'))).toBe(0);
  expect(await waits(pair('forgets'))).toBe(2);
  platform.clock.advance(HOUR);
  expect(refusals(await race(5, pair('forgets')))).toHaveLength(0);
});

test('what is right counts nothing, wipes the delay of its own pair, and leaves the failures of others where they are', async () => {
  const tries = [...ceiling('mine'), ...pair('mine')];
  await race(100, ceiling('mine'));
  platform.clock.advance(HOUR);
  for (let count = 0; count < 99; count++) await attemptsOf(0).judge(ceiling('mine'), wrong);
  for (let count = 0; count < 150; count++) expect(await attemptsOf(count).judge(tries, right)).toBe('right');
  for (let count = 0; count < 4; count++) await attemptsOf(0).judge(pair('mine'), wrong);
  await attemptsOf(0).judge(tries, right);
  expect(refusals(await race(4, pair('mine')))).toHaveLength(0);
  await attemptsOf(0).judge(ceiling('mine'), wrong);
  await expect(attemptsOf(1).judge(tries, right)).rejects.toMatchObject({ code: 'too_many_attempts' });
});

test('what could not be judged was no failure', async () => {
  for (let count = 0; count < 20; count++)
    await expect(attemptsOf(0).judge(pair('broken'), () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
  expect(refusals(await race(5, pair('broken')))).toHaveLength(0);
});

test('a name that has to wait is refused without a statement, and no name stands in the database', async () => {
  await race(101, ceiling('ada@example.com'));
  const before = await rows();
  expect(refusals(await race(100, ceiling('ada@example.com')))).toHaveLength(100);
  expect(await rows()).toEqual(before);
  expect(before.every(({ name }) => /^[0-9a-f]{64}$/.test(String(name)))).toBe(true);
});

test('windows that are over are removed', async () => {
  await race(4, pair('swept'));
  platform.clock.advance(2 * HOUR);
  await forgetWhatIsOver(processes[0]!.systemContext('test'));
  expect(await rows()).toHaveLength(0);
});
