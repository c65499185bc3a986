// Limits of attempts are one figure for all processes: here two, each with connections of its own, over one database.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#shared/clock.ts';
import { type RunningSubgraph, startSubgraph } from '#shared/subgraph.ts';
import type { Providers } from '../../subgraphs/accounts/providers.ts';
import { forgetWhatIsOver } from '../../subgraphs/accounts/services/retention.ts';
import { accounts } from '../../subgraphs/accounts/subgraph.ts';
import { type TestPlatform, startPlatform } from '../kit/platform.ts';

let platform: TestPlatform;
let processes: RunningSubgraph<Providers>[];

beforeAll(async () => {
  platform = await startPlatform();
  processes = await Promise.all([0, 1].map(() => startSubgraph(platform, accounts, { work: false })));
});

afterAll(async () => {
  await Promise.all((processes ?? []).map((each) => each.close()));
  await platform?.close();
});

const attemptsOf = (index: number) => {
  const { providers } = processes[index % 2]!.systemContext('test');
  return providers.attempts;
};
const refusals = (outcomes: PromiseSettledResult<void>[]) => outcomes.filter(({ status }) => status === 'rejected');
const race = (count: number, name: string) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => attemptsOf(index).count('log_in', name)));

test('of forty attempts that race through two processes exactly ten pass', async () => {
  const outcomes = await race(40, 'account race');
  expect(refusals(outcomes)).toHaveLength(30);
  expect(refusals(outcomes)[0]).toMatchObject({ reason: { code: 'too_many_attempts', meta: { retry_after_seconds: 900 } } });
});

test('the window begins with the first attempt and ends for both', async () => {
  await attemptsOf(0).count('log_in', 'account window');
  platform.clock.advance(10 * MINUTE);
  expect(refusals(await race(10, 'account window'))).toHaveLength(1);
  await expect(attemptsOf(0).count('log_in', 'account window')).rejects.toMatchObject({ meta: { retry_after_seconds: 300 } });
  platform.clock.advance(5 * MINUTE);
  expect(refusals(await race(11, 'account window'))).toHaveLength(1);
});

test('what a success wipes in one process is wiped in the other within five seconds', async () => {
  await race(20, 'account wiped');
  await attemptsOf(0).forgive('log_in', 'account wiped');
  await attemptsOf(0).count('log_in', 'account wiped');
  platform.clock.advance(5 * SECOND);
  await attemptsOf(1).count('log_in', 'account wiped');
});

test('a name that is used up is refused without a statement, and no name stands in the database', async () => {
  await race(40, 'account ada@example.com');
  const before = await platform.database.query('select encode(name, $1) as name, points from accounts.attempt order by name', ['hex']);
  expect(refusals(await race(100, 'account ada@example.com'))).toHaveLength(100);
  expect(await platform.database.query('select encode(name, $1) as name, points from accounts.attempt order by name', ['hex'])).toEqual(
    before,
  );
  expect(before.every(({ name }) => /^[0-9a-f]{64}$/.test(String(name)))).toBe(true);
});

test('windows that are over are removed', async () => {
  await race(4, 'account swept');
  platform.clock.advance(60 * MINUTE);
  await forgetWhatIsOver(processes[0]!.systemContext('test'));
  expect(await platform.database.query('select from accounts.attempt')).toHaveLength(0);
});
