import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EntityManager, openDatabase } from '#platform/database.ts';
import { silentLog } from '#platform/log.ts';
import { pointRead } from '#platform/point-read.ts';
import { type TestDatabase, createTestDatabase } from '../../../kit/database.ts';

interface Row {
  key: string;
  shared: string;
  /** How many keys the statement read at once. */
  together: number;
}

const read = pointRead<Row>(
  {
    name: 'point_read_test',
    text: `select key, $2::text as shared, cardinality($1::text[]) as together from unnest($1::text[]) as key where key <> 'nobody'`,
  },
  ({ key }) => key,
);

/** A read is sent in the turn after the one in which it was asked for. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('rows by key', () => {
  let database: TestDatabase;
  let orm: Awaited<ReturnType<typeof openDatabase>>;
  let em: EntityManager;
  beforeAll(async () => {
    database = await createTestDatabase();
    orm = await openDatabase({ url: database.url, entities: [], pool: 3, log: silentLog });
    em = orm.em.fork() as EntityManager;
    // The very first read opens the connection, and would be alone in its statement.
    await read({ em }, 'first', 'today');
  });
  afterAll(async () => {
    await orm.close();
    await database.drop();
  });

  it('are asked for together by requests of one turn, each getting its own', async () => {
    const keys = ['a', 'b', 'nobody', 'a'];
    const rows = await Promise.all(keys.map((key) => read({ em: orm.em.fork() as EntityManager }, key, 'today')));
    expect(rows.map((row) => row?.key)).toEqual(['a', 'b', undefined, 'a']);
    expect(rows[0]?.together).toBe(3);
  });

  it('are not mixed up between what each shares with others', async () => {
    const rows = await Promise.all([read({ em }, 'a', 'today'), read({ em }, 'a', 'yesterday'), read({ em }, 'b', 'today')]);
    expect(rows.map((row) => row?.shared)).toEqual(['today', 'yesterday', 'today']);
  });

  it('are asked for a hundred at a time', async () => {
    const keys = Array.from({ length: 250 }, (_, index) => `key ${index}`);
    const rows = await Promise.all(keys.map((key) => read({ em }, key, 'today')));
    expect(rows.map((row) => row?.key)).toEqual(keys);
    expect(Math.max(...rows.map((row) => row?.together ?? 0))).toBe(100);
  });

  it('are asked for together by those who come while a statement runs', async () => {
    let rows = Promise.resolve<(Row | undefined)[]>([]);
    const slow = pointRead<Row>(
      {
        name: 'point_read_slow',
        text: `select key, $2::text as shared, cardinality($1::text[]) as together from unnest($1::text[]) as key, pg_advisory_xact_lock_shared(4711)`,
      },
      ({ key }) => key,
    );
    await em.transactional(async (tx) => {
      await tx.execute('select pg_advisory_xact_lock(4711)');
      const asked = [slow({ em: orm.em.fork() as EntityManager }, 'first', 'today')];
      // Without the wait each would have a statement of its own.
      for (const key of ['a', 'b', 'c']) {
        await turns();
        asked.push(slow({ em: orm.em.fork() as EntityManager }, key, 'today'));
      }
      rows = Promise.all(asked);
    });
    expect((await rows).map((row) => row?.together)).toEqual([1, 3, 3, 3]);
  });

  it('do not wait for a statement that hangs', async () => {
    let hung = Promise.resolve<Row | undefined>(undefined);
    const hanging = pointRead<Row>(
      {
        name: 'point_read_hanging',
        text: `select key, $2::text as shared, 1 as together from unnest($1::text[]) as key, lateral (select case when key = 'hang' then pg_advisory_xact_lock(4712) end) as held`,
      },
      ({ key }) => key,
    );
    await em.transactional(async (tx) => {
      await tx.execute('select pg_advisory_xact_lock(4712)');
      hung = hanging({ em: orm.em.fork() as EntityManager }, 'hang', 'today');
      await turns();
      expect((await hanging({ em: orm.em.fork() as EntityManager }, 'free', 'today'))?.key).toBe('free');
    });
    expect((await hung)?.key).toBe('hang');
  });

  it('are read alone, and on its connection, inside a transaction', async () => {
    await em.transactional(async (tx) => {
      await tx.execute(`set local application_name = 'this transaction'`);
      const named = pointRead<{ key: string; name: string }>(
        { name: 'point_read_name', text: `select key, current_setting('application_name') as name from unnest($1::text[]) as key` },
        ({ key }) => key,
      );
      expect(await named({ em: tx as EntityManager }, 'a')).toEqual({ key: 'a', name: 'this transaction' });
    });
  });

  it('fail all together, and the next ones do not', async () => {
    const failing = pointRead<{ key: string }>(
      { name: 'point_read_failing', text: `select key from unnest($1::text[]) as key where 1 / key::int > 0` },
      ({ key }) => key,
    );
    const results = await Promise.allSettled([failing({ em }, '1'), failing({ em }, '0')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await failing({ em }, '1')).toEqual({ key: '1' });
  });
});
