// Changes the master secret of a platform with data, by the steps in the README.
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EntityManager, openDatabase, runStatement } from '#platform/database.ts';
import { silentLog } from '#platform/log.ts';
import { resealColumns } from '#platform/sealed-columns.ts';
import { StartFailure } from '#platform/start-failure.ts';
import { type SealingKeys, isSealedByPresent, seal, unseal } from '#platform/sealing.ts';
import { secretsOf } from '#platform/secrets.ts';
import { runChild } from '../../../kit/child.ts';
import { type TestDatabase, createTestDatabase } from '../../../kit/database.ts';
import { buyPackage } from '../../../kit/purchase.ts';
import { startStack } from '../../../kit/stack.ts';
import { rowsOf } from '../../../kit/tables.ts';

const OLD = 'an old master secret of more than 32 characters';
const NEW = 'a new master secret of more than 32 characters';
const keysOf = (SECRET: string) => secretsOf({ SECRET, DATA_DIR: '/nowhere' }).sealing;

let database: TestDatabase;
let planId: string;
let password: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const stack = await startWith(OLD);
  ({ planId } = await buyPackage(stack, await stack.seed.account()));
  password = unseal(await sealedPassword(), keysOf(OLD), planId);
  await stack.close();
});
afterAll(() => database.drop());

const startWith = (SECRET: string) => startStack({ databaseUrl: database.url, environment: { SECRET } });
async function sealedPassword(): Promise<Buffer> {
  const [plan] = await rowsOf<{ password_sealed: Buffer }>(database.query, 'residential.plan', { id: planId });
  return plan?.password_sealed ?? expect.unreachable();
}
const secretsKnown = async () =>
  new Set((await rowsOf<{ key_id: Buffer }>(database.query, 'platform.secret_check')).map(({ key_id }) => key_id.toString('hex')));
const idsOf = (...secrets: string[]) => new Set(secrets.map((secret) => keysOf(secret)[0].id.toString('hex')));

test('a start with another secret is refused with a sentence, and leaves nothing behind', async () => {
  await expect(startWith(NEW)).rejects.toThrow(StartFailure);
  await expect(startWith(NEW)).rejects.toThrow('SECRET is not the one that this database was sealed with.');
  await expect(startWith(`${NEW},${NEW}`)).rejects.toThrow('None of the secrets in SECRET is one that this database was sealed with.');
  expect(await secretsKnown()).toEqual(new Set());
});

test('with both it serves, sells and delivers; what is new is sealed with the first', async () => {
  const stack = await startWith(`${NEW},${OLD}`);
  const second = await buyPackage(stack, await stack.seed.account());
  expect(second.status).toBe('FULFILLED');
  const [plan] = await rowsOf<{ password_sealed: Buffer }>(database.query, 'residential.plan', { id: second.planId });
  expect(unseal(plan?.password_sealed ?? expect.unreachable(), keysOf(NEW), second.planId)).toHaveLength(password.length);
  await stack.close();
  expect(await secretsKnown()).toEqual(idsOf(OLD));
  await expect(startWith(NEW)).rejects.toThrow('SECRET is not the one that this database was sealed with.');
});

test('what was sealed before is sealed anew by the command, and the old secret is refused from then on', async () => {
  const child = runChild('reseal.ts', { DATABASE_URL: database.url, SECRET: `${NEW},${OLD}`, DATA_DIR: tmpdir(), LOG_LEVEL: 'silent' });
  expect(await child.ended, child.text()).toBe(0);
  expect(child.text()).toMatch(/^Sealed anew: \d+\. The first secret in SECRET opens everything\.\n$/);
  expect(unseal(await sealedPassword(), keysOf(NEW), planId)).toBe(password);
  await (await startWith(NEW)).close();
  expect(await secretsKnown()).toEqual(idsOf(NEW));
  await expect(startWith(OLD)).rejects.toThrow('SECRET is not the one that this database was sealed with.');
});

test('lists, places of other columns and many rows are sealed anew once; what changed meanwhile is left alone', async () => {
  const [old, both] = [keysOf(OLD), keysOf(`${NEW},${OLD}`)];
  const orm = await openDatabase({ url: database.url, schema: 'accounts', entities: [], pool: 2, log: silentLog });
  const em = () => orm.em.fork() as EntityManager;
  await database.query('create table accounts.sealed_thing (id text primary key, of_server text, one bytea, many text[] not null)');
  const place = (of: string) => `password of ${of}`;
  const hex = (text: string, keys: SealingKeys, id: string) => seal(text, keys, id).toString('hex');
  for (let index = 0; index < 1_203; index++) {
    const id = `thing_${String(index).padStart(5, '0')}`;
    const one = index % 2 === 0 ? seal(`one ${id}`, old, place(`srv_${id}`)) : null;
    const many = [hex('a', old, id), hex('b', both, id)].slice(0, index % 3);
    await runStatement(em(), 'insert into sealed_thing values ($1, $2, $3, $4)', [id, `srv_${id}`, one, many]);
  }
  const columns = [
    { table: 'sealed_thing', key: 'id', column: 'one', of: 'of_server', place },
    { table: 'sealed_thing', key: 'id', column: 'many', isList: true },
  ] as const;
  expect(await resealColumns(em(), columns, both)).toBe(602 + 401 + 2 * 401);
  expect(await resealColumns(em(), columns, both)).toBe(0);
  await orm.close();
  const rows = await rowsOf<{ id: string; of_server: string; one: Buffer | null; many: string[] }>(database.query, 'accounts.sealed_thing');
  const fresh = keysOf(NEW);
  for (const { id, of_server, one, many } of rows) {
    if (one) expect(unseal(one, fresh, place(of_server))).toBe(`one ${id}`);
    expect(many.map((value) => unseal(Buffer.from(value, 'hex'), fresh, id))).toEqual(['a', 'b'].slice(0, many.length));
    expect(many.every((value) => isSealedByPresent(Buffer.from(value, 'hex'), fresh))).toBe(true);
  }
});
