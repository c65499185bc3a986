import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND, TestClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import type { MachineUse } from '../../../../subgraphs/compute/machines/providers/hypervisor.ts';
import { createUseWatch } from '../../../../subgraphs/compute/metrics/providers/live-use.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type ComputeWorld, startCompute } from '../world.ts';
import { planFaults } from '../../../kit/faults.ts';

let world: ComputeWorld;
let id: string;
const owner = sessionOf('acct_owner');
const name = () => id.replace('_', '-');
beforeAll(async () => {
  world = await startCompute();
  ({ id } = await world.built());
});
afterAll(() => world.close());

interface Point {
  at: string;
  cpuRatio: number;
  memoryTotalBytes: number;
  netInBytesPerSecond: number;
  netOutBytesPerSecond: number;
}
async function history(span: string, viewer = owner): Promise<Point[] | unknown> {
  const { data, errors } = await world.ask(
    viewer,
    `query ($id: ID!) { server(id: $id) { ... on Vps { metrics(span: ${span}) { at cpuRatio memoryTotalBytes netInBytesPerSecond netOutBytesPerSecond } } } }`,
    { id },
  );
  return errors?.[0]?.extensions['code'] ?? (data as { server: { metrics: Point[] } }).server.metrics;
}
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += MINUTE) {
    world.clock.advance(MINUTE);
    await world.hypervisor.tick();
  }
}

describe('history', () => {
  test('of an hour is by the minute, of a day and a week by the half hour, the oldest first', async () => {
    await world.hypervisor.change(name(), (machine) => (machine.load = 0.5));
    await pass(26 * HOUR);
    const [hour, day, week] = (await Promise.all(['HOUR', 'DAY', 'WEEK'].map((span) => history(span)))) as Point[][];
    expect(hour?.length).toBeGreaterThanOrEqual(59);
    expect(day?.length).toBeGreaterThanOrEqual(47);
    expect(week?.length).toBeGreaterThanOrEqual((day?.length ?? 0) + 3);
    expect(hour?.at(-1)).toMatchObject({
      cpuRatio: 0.5,
      memoryTotalBytes: 16 * 1_073_741_824,
      netInBytesPerSecond: 500_000,
      netOutBytesPerSecond: 1_000_000,
    });
    const times = week?.map(({ at }) => Date.parse(at)) ?? [];
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(world.clock.now().getTime() - (times[0] ?? 0)).toBeLessThan(7 * DAY);
  });

  test('is for the owner only, and says when the datacenter does not answer', async () => {
    expect(await history('HOUR', sessionOf('acct_other'))).toBe('server_not_found');
    planFaults(world.hypervisor.faults.next, { fault: 'error', on: 'metrics' });
    expect(await history('HOUR')).toBe('datacenter_silent');
  });
});

test('live figures are rates between two measurements, and are sent to subscribers', async () => {
  const stream = (await world.subscribe(
    owner,
    'subscription ($id: ID!) { vpsMetricsChanged(id: $id) { cpuRatio netInBytesPerSecond netOutBytesPerSecond } }',
    { id },
  )) as AsyncIterableIterator<{ data: { vpsMetricsChanged: Point } }>;
  const first = await stream.next();
  expect(first.value?.data.vpsMetricsChanged).toMatchObject({ cpuRatio: 0.5, netInBytesPerSecond: 0 });
  world.clock.advance(10 * SECOND);
  await world.hypervisor.tick();
  await world.look();
  const second = await stream.next();
  expect(second.value?.data.vpsMetricsChanged).toEqual({ cpuRatio: 0.5, netInBytesPerSecond: 500_000, netOutBytesPerSecond: 1_000_000 });
  await stream.return?.();
});

describe('the watch', () => {
  const use = (over: Partial<MachineUse> = {}): MachineUse => ({
    name: 'a',
    running: true,
    cpu: 0.1,
    memoryBytes: 1,
    memoryTotalBytes: 2,
    netInBytes: 0,
    netOutBytes: 0,
    diskReadBytes: 0,
    diskWriteBytes: 0,
    ...over,
  });
  const watchOf = (answers: (() => MachineUse[])[]) => {
    let calls = 0;
    const clock = new TestClock();
    const hypervisor = { use: async () => answers[Math.min(calls++, answers.length - 1)]?.() ?? [] };
    return { clock, calls: () => calls, watch: createUseWatch({ hypervisor, clock, log: silentLog }) };
  };

  test('measures once for all subscribers', async () => {
    const { watch, calls } = watchOf([() => Array.from({ length: 100 }, (_, index) => use({ name: `m${index}` }))]);
    let told = 0;
    for (let index = 0; index < 100; index++) watch.watch(`m${index}`, () => told++);
    await watch.look();
    expect([calls(), told]).toEqual([1, 100]);
    await watch.close();
  });

  test('sends a new subscriber the last figures at once, and nothing to one that has left', async () => {
    const { watch } = watchOf([() => [use()]]);
    const seen: number[] = [];
    const leave = watch.watch('a', ({ cpu }) => seen.push(cpu));
    await watch.look();
    watch.watch('a', ({ cpu }) => seen.push(cpu + 1));
    leave();
    await watch.look();
    expect(seen).toEqual([0.1, 1.1, 1.1]);
    await watch.close();
  });

  test('treats a reset counter as no traffic, not as negative traffic', async () => {
    const { watch, clock } = watchOf([
      () => [use({ netInBytes: 5_000 })],
      () => [use({ netInBytes: 100 })],
      () => [use({ netInBytes: 1_100 })],
    ]);
    const seen: number[] = [];
    watch.watch('a', ({ netInBytes }) => seen.push(netInBytes));
    await watch.look();
    for (let time = 0; time < 2; time++) {
      clock.advance(5 * SECOND);
      await watch.look();
    }
    expect(seen).toEqual([0, 0, 200]);
    await watch.close();
  });

  test('continues after a failed measurement', async () => {
    const { watch } = watchOf([
      () => {
        throw new Error('no answer');
      },
      () => [use()],
    ]);
    const seen: number[] = [];
    watch.watch('a', ({ cpu }) => seen.push(cpu));
    await watch.look();
    await watch.look();
    expect(seen).toEqual([0.1]);
    await watch.close();
  });
});
