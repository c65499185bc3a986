import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EntityManager, openDatabase } from '#platform/database.ts';
import { openJobQueue } from '#platform/jobs.ts';
import { jobRows } from '../../../kit/job-rows.ts';
import { type TestPlatform, startPlatform } from '../../../kit/platform.ts';
import { rowOf } from '../../../kit/tables.ts';

let platform: TestPlatform;
let orm: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  platform = await startPlatform();
  orm = await openDatabase({ url: platform.databaseUrl, schema: 'accounts', entities: [], pool: 6, log: platform.log });
});
afterAll(async () => {
  await orm.close();
  await platform.close();
});

const open = (options: { pollSeconds?: number; sweeps: boolean }) =>
  openJobQueue({ url: platform.databaseUrl, log: platform.log, metrics: platform.metrics, workers: 4, ...options });

test('jobs that arrive together are done one after the other, without waiting for the next look at the queue', async () => {
  const queue = await open({ pollSeconds: 600, sweeps: false });
  const wanted = Array.from({ length: 100 }, (_, index) => index);
  const done: number[] = [];
  const all = Promise.withResolvers<void>();
  await queue.work(
    [
      {
        name: 'accounts.test-burst',
        async run(_context: null, { index }: { index: number }, complete) {
          await orm.em.fork().transactional((em) => complete(em as EntityManager));
          if (done.push(index) === wanted.length) all.resolve();
        },
      },
    ],
    () => null,
  );
  await orm.em.fork().transactional(async (em) => {
    for (const index of wanted) await queue.jobs.enqueue(em as EntityManager, 'accounts.test-burst', { index });
  });
  await all.promise;
  await queue.close();
  expect(done.sort((one, other) => one - other)).toEqual(wanted);
});

test('a queue is as its jobs are declared: made at the first start, left alone by the next, changed by a release that declares it otherwise', async () => {
  const start = async (declared: { retryLimit?: number }) => {
    const queue = await open({ sweeps: false });
    await queue.work([{ name: 'accounts.test-declared', run: async () => {}, ...declared }], () => null);
    await queue.close();
    return rowOf(platform.database.query, 'pgboss.queue', { name: 'accounts.test-declared' });
  };
  const made = await start({});
  expect(made).toMatchObject({
    policy: 'short',
    retry_limit: 12,
    retry_delay_max: 900,
    expire_seconds: 300,
    heartbeat_seconds: 10,
    notify: true,
  });
  expect(await start({})).toMatchObject({ updated_on: made?.['updated_on'] });
  const changed = await start({ retryLimit: 3 });
  expect(changed).toMatchObject({ retry_limit: 3, heartbeat_seconds: 10 });
  expect(changed?.['updated_on']).not.toEqual(made?.['updated_on']);
});

test('stopping waits for the job that runs', async () => {
  const queue = await open({ sweeps: false });
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let ended = false;
  const run = async () => {
    begun.resolve();
    await gate.promise;
    await orm.em.fork().getConnection().execute('select pg_sleep(0.05)');
    ended = true;
  };
  const stop = await queue.work([{ name: 'accounts.test-stop', run }], () => null);
  await orm.em.fork().transactional((em) => queue.jobs.enqueue(em as EntityManager, 'accounts.test-stop', {}));
  await begun.promise;
  const stopped = stop();
  gate.resolve();
  await stopped;
  expect(ended).toBe(true);
  await queue.close();
});

test.each([[true], [false]])('with sweeps: %s a sweeper has a schedule only if they are wanted', async (sweeps) => {
  const queue = await open({ sweeps });
  const name = `accounts.test-sweep-${sweeps}`;
  await queue.work([{ name, cron: '* * * * *', run: async () => {} }], () => null);
  await queue.close();
  expect(await jobRows(platform.database.query).schedulesOf(name)).toMatchObject(
    sweeps ? [{ cron: '* * * * *', options: { singletonKey: 'cron' } }] : [],
  );
});

test('a job that fails and is tried no more is counted as given up, one that comes again is not', async () => {
  const queue = await open({ sweeps: false });
  const ended = new Map([0, 12].map((retryLimit) => [retryLimit, Promise.withResolvers<void>()]));
  const jobs = [...ended].map(([retryLimit, { resolve }]) => ({
    name: `accounts.test-fails-${retryLimit}`,
    retryLimit,
    run(): Promise<void> {
      resolve();
      return Promise.reject(new Error('no'));
    },
  }));
  const stop = await queue.work(jobs, () => null);
  await orm.em.fork().transactional(async (em) => {
    for (const { name } of jobs) await queue.jobs.enqueue(em as EntityManager, name, {});
  });
  for (const { promise } of ended.values()) await promise;
  await stop();
  const { values } = await platform.metrics.jobs.get();
  const outcomeOf = (name: string) =>
    values.filter(({ labels }) => labels.job === name).map(({ labels, value }) => [labels.outcome, value]);
  expect(outcomeOf('accounts.test-fails-0')).toEqual([['given_up', 1]]);
  expect(outcomeOf('accounts.test-fails-12')).toEqual([['failed', 1]]);
  await queue.close();
});
