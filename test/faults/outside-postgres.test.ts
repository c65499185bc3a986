// The platform on an external PostgreSQL (15 or newer). Skipped without TEST_DATABASE_URL.
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '#platform/migrate.ts';
import { databaseUrl } from '../kit/postgres.ts';
import { buyPackage } from '../kit/purchase.ts';
import { type Stack, startStack } from '../kit/stack.ts';

const outside = process.env['TEST_DATABASE_URL'];
const name = `egress_test_${randomBytes(6).toString('hex')}`;

async function onServer(sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: outside });
  await client.connect();
  return client
    .query<Record<string, string>>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

describe.skipIf(!outside)('on an outside PostgreSQL', () => {
  let stack: Stack;
  beforeAll(async () => {
    await onServer(`create database ${name}`);
    stack = await startStack({ databaseUrl: databaseUrl(outside ?? '', name) });
  });
  afterAll(async () => {
    await stack?.close();
    await onServer(`drop database if exists ${name} with (force)`);
  });

  test('it migrates an empty database, and has nothing to do the second time', async () => {
    expect(await migrate(databaseUrl(outside ?? '', name))).toEqual([]);
  });

  test('a package is bought, delivered, used and read over the API', async () => {
    const buyer = await stack.seed.account();
    const { authorization } = await buyer.apiKey();
    const { status, planId } = await buyPackage(stack, buyer);
    expect(status).toBe('FULFILLED');

    const read = async (path: string) =>
      (
        (await (await fetch(`${stack.url}/v1/residential/${planId}/${path}`, { headers: { authorization } })).json()) as {
          data: any;
        }
      ).data;
    const { proxies } = await read('proxies?sticky=true&pool=Germany&quantity=2');
    const [, , username] = proxies[0].split(':');
    await stack.sandbox.network.report({ username, upBytes: 1_000_000, downBytes: 2_000_000 });
    expect(await read('usage')).toMatchObject({ total_data: 5, used_data: 0.003 });
    expect(Object.values((await read('statistics')).days).at(-1)).toBe(3);
  });
});
