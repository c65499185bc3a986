import type { ExecutionResult } from 'graphql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { GB } from '#platform/data-size.ts';
import type { EntityManager } from '#platform/database.ts';
import { silentLog } from '#platform/log.ts';
import type { Viewer } from '#platform/identity.ts';
import type { ResultStream } from '#platform/subgraph-runner.ts';
import { startUsageFeed } from '../../../../subgraphs/residential/metering/providers/usage-feed.ts';
import { setDailyLimit } from '../../../../subgraphs/residential/plans/services/plan-settings.ts';
import { anonymous, keyOf, sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

describe('a live subscription', () => {
  let world: ResidentialWorld;
  beforeAll(async () => {
    world = await startResidential();
  });
  afterAll(() => world?.close());
  afterEach(() => void vi.restoreAllMocks());

  const USAGE = 'subscription ($planId: ID) { residentialUsageChanged(planId: $planId) { planId usedBytes status dailyLimitBytes } }';
  const CHANGED = 'subscription { residentialPlanChanged { id status dailyLimitBytes } }';
  const open = async (viewer: Viewer, query: string, variables: Record<string, unknown> = {}): Promise<ResultStream> => {
    const result = await world.subscribe(viewer, query, variables);
    if (!(Symbol.asyncIterator in result)) throw new Error(JSON.stringify(result.errors));
    return result;
  };
  const usageOf = (result: IteratorResult<ExecutionResult>) =>
    (result.value as ExecutionResult).data?.['residentialUsageChanged'] as {
      planId: string;
      usedBytes: string;
      status: string;
      dailyLimitBytes: string | null;
    };
  const until = async (stream: ResultStream, fits: (usage: ReturnType<typeof usageOf>) => boolean) => {
    const seen = [];
    for (;;) {
      const usage = usageOf(await stream.next());
      seen.push(usage);
      if (fits(usage)) return seen;
    }
  };

  test('gets the figures now, then committed ones, and the last is never left out', async () => {
    const plan = await world.plan('acct_live');
    await world.use(plan, 5n);
    const stream = await open(keyOf('acct_live'), USAGE, { planId: plan.id });
    expect(usageOf(await stream.next())).toEqual({ planId: plan.id, usedBytes: '5', status: 'ACTIVE', dailyLimitBytes: null });
    for (let index = 0; index < 40; index++) await world.use(plan, 1n);
    const seen = await until(stream, ({ usedBytes }) => usedBytes === '45');
    const figures = seen.map(({ usedBytes }) => Number(usedBytes));
    expect(figures).toEqual([...new Set(figures)].sort((a, b) => a - b));
    await stream.return?.();
  });

  test('resumes from its cursor: nothing is sent twice, and nothing that happened meanwhile is missed', async () => {
    const [still, used] = [await world.plan('acct_back'), await world.plan('acct_back')];
    await world.use(still, 3n);
    const WITH_PLACE = 'subscription ($since: [String!]) { residentialUsageChanged(since: $since) { planId usedBytes place } }';
    const before = await open(keyOf('acct_back'), WITH_PLACE);
    const seen = [usageOf(await before.next()), usageOf(await before.next())] as unknown as { planId: string; place: string }[];
    await before.return?.();
    const since = seen.map(({ place }) => place);
    await world.use(used, 9n);
    const after = await open(keyOf('acct_back'), WITH_PLACE, { since });
    expect(usageOf(await after.next())).toMatchObject({ planId: used.id, usedBytes: '9' });
    await world.use(still, 1n);
    expect((await until(after, ({ planId }) => planId === still.id)).at(-1)).toMatchObject({ usedBytes: '4' });
    await after.return?.();
    const many = await world.subscribe(keyOf('acct_back'), WITH_PLACE, { since: Array(1_001).fill('x') });
    expect(codesOf(many as ExecutionResult)).toEqual(['parameter_invalid']);
  });

  test('without a plan gets every plan of the account, also one bought meanwhile, and no other', async () => {
    const [first, second] = [await world.plan('acct_all'), await world.plan('acct_all')];
    const other = await world.plan('acct_other');
    const stream = await open(sessionOf('acct_all'), USAGE);
    const now = [usageOf(await stream.next()), usageOf(await stream.next())].map(({ planId }) => planId);
    expect(now.sort()).toEqual([first.id, second.id].sort());
    await world.use(other, 1n);
    const third = await world.plan('acct_all');
    expect((await until(stream, ({ planId }) => planId === third.id)).map(({ planId }) => planId)).not.toContain(other.id);
    await world.use(first, 7n);
    await until(stream, ({ planId, usedBytes }) => planId === first.id && usedBytes === '7');
    await stream.return?.();
  });

  test('receives a new limit and the pause that it causes', async () => {
    const plan = await world.plan('acct_limit');
    await world.use(plan, GB);
    const [usage, changed] = await Promise.all([
      open(sessionOf('acct_limit'), USAGE, { planId: plan.id }),
      open(sessionOf('acct_limit'), CHANGED),
    ]);
    expect(usageOf(await usage.next()).status).toBe('ACTIVE');
    await setDailyLimit(world.as(sessionOf('acct_limit')), plan.id, GB);
    expect((await until(usage, ({ status }) => status === 'PAUSED')).at(-1)?.dailyLimitBytes).toBe('1000000000');
    expect((await changed.next()).value).toMatchObject({
      data: { residentialPlanChanged: { id: plan.id, status: 'PAUSED', dailyLimitBytes: '1000000000' } },
    });
    await Promise.all([usage.return?.(), changed.return?.()]);
  });

  test("is refused for another account's plan and without an account", async () => {
    const plan = await world.plan('acct_live');
    const refused = async (viewer: Viewer, query = USAGE) =>
      codesOf((await world.subscribe(viewer, query, { planId: plan.id })) as ExecutionResult);
    expect(await refused(sessionOf('acct_b'))).toEqual(['plan_not_found']);
    expect(await refused(anonymous)).toEqual(['session_invalid']);
    expect(await refused(anonymous, CHANGED)).toEqual(['session_invalid']);
    expect(await refused(keyOf('acct_live', ['generate']))).toEqual(['forbidden']);
  });

  test('releases its source when it is cancelled while it waits', async () => {
    const plan = await world.plan('acct_cancel');
    const feed = world.context().providers.usage;
    const stops: (() => void)[] = [];
    const watch = feed.watch.bind(feed);
    vi.spyOn(feed, 'watch').mockImplementation((filter, listener) => {
      const stop = vi.fn<() => void>(watch(filter, listener));
      stops.push(stop);
      return stop;
    });
    const stream = await open(sessionOf('acct_cancel'), USAGE, { planId: plan.id });
    await stream.next();
    const waiting = stream.next();
    await stream.return?.();
    expect(await waiting).toMatchObject({ done: true });
    expect(stops).toHaveLength(1);
    expect(stops[0]).toHaveBeenCalledOnce();

    const caller = new AbortController();
    const late = world.subscribe(sessionOf('acct_cancel'), USAGE, { planId: plan.id }, caller.signal);
    caller.abort();
    await late;
    expect(stops[1]).toHaveBeenCalledOnce();
  });
});

describe('the feed of a process', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A usage feed for which the test sends the notifications and answers the reads. `used` is what is committed. */
  async function startFeed() {
    const committed = new Map<string, number>();
    const reads: string[][] = [];
    let notice: (payload: string | undefined) => void = () => {};
    const row = (id: string) => ({
      id,
      account_id: 'acct',
      total_bytes: '1000',
      up_bytes: '0',
      down_bytes: String(committed.get(id)),
      daily_limit_bytes: null,
      valid_until: null,
      lapsed_bytes: null,
      used_today: '0',
      session_next: '0',
      created_at: 0,
      alert_percents: null,
      alert_left_bytes: [],
      told_left_bytes: null,
      top_up_left_bytes: null,
      bytes_by_second: [],
      paced_bytes: 0,
      rated_at: null,
      used_since: null,
    });
    const executeQuery = async ({ parameters }: { parameters: unknown[] }) => {
      const ids = Array.isArray(parameters[0]) ? (parameters[0] as string[]) : [...committed.keys()];
      if (Array.isArray(parameters[0])) reads.push(ids);
      return { rows: ids.map(row) };
    };
    const feed = await startUsageFeed({
      em: () => ({ isInTransaction: () => true, getKysely: () => ({ executeQuery }) }) as unknown as EntityManager,
      notifications: { listen: async (_channel, listener) => ((notice = listener), () => {}), close: async () => {} },
      clock: new TestClock(),
      log: silentLog,
    });
    const use = (id: string, bytes: number) => {
      committed.set(id, (committed.get(id) ?? 0) + bytes);
      notice(`acct ${id}`);
    };
    return { feed, use, committed, reads, reconnect: () => notice(undefined) };
  }

  test('delivers at most four times a second per plan, and always what was committed last', async () => {
    const { feed, use } = await startFeed();
    const seen: number[] = [];
    feed.watch({ accountId: 'acct', planId: 'plan' }, ({ downBytes }) => seen.push(Number(downBytes)));
    for (let millisecond = 0; millisecond < 999; millisecond++) {
      use('plan', 1);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(seen).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(250);
    expect(seen).toHaveLength(5);
    expect(seen.at(-1)).toBe(999);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(seen).toHaveLength(5);
    await feed.close();
  });

  test('reads once for ten thousand subscribers, and not for plans that nobody watches', async () => {
    const { feed, use, reads } = await startFeed();
    let calls = 0;
    for (let index = 0; index < 10_000; index++) feed.watch({ accountId: 'acct', planId: 'watched' }, () => calls++);
    use('watched', 1);
    use('ignored', 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toBe(10_000);
    expect(reads).toEqual([['watched']]);
    await feed.close();
  });

  test('reads every watched plan again after notifications were missed', async () => {
    const { feed, committed, reconnect } = await startFeed();
    const seen: string[] = [];
    committed.set('one', 3).set('two', 4);
    feed.watch({ accountId: 'acct' }, ({ id, downBytes }) => seen.push(`${id} ${downBytes}`));
    reconnect();
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.sort()).toEqual(['one 3', 'two 4']);
    await feed.close();
  });
});
