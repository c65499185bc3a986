// Support finds an account by any part of its e-mail address, however many accounts there are.
import { afterAll, expect, test } from 'vitest';
import { addressesWith } from '../../../../subgraphs/accounts/identity/entities/account.ts';
import { costOf, insertAccounts } from '../../../kit/many-papers.ts';
import { dataOf } from '../world.ts';
import { startBilling } from '../billing/world.ts';

const COUNT = 20_000;
const world = await startBilling();
afterAll(() => world.close());
const desk = await world.account('desk@egress.example', 'STAFF');
await insertAccounts(world.query, COUNT);

const found = async (search: string): Promise<string[]> =>
  dataOf<{ email: string }[]>(
    await world.ask(desk.viewer, 'query ($search: String!) { supportAccounts(search: $search) { email } }', { search }),
    'supportAccounts',
  ).map(({ email }) => email);

test('a part of an address is found by an index, in any letter case', async () => {
  expect(await found('ON-12345@')).toEqual(['person-12345@many.example']);
  expect(await found('19999')).toEqual(['person-19999@many.example']);
  const { sql, parameters } = addressesWith('-12345@', 20).compile(world.context().em.getKysely());
  const { nodes, rows } = await costOf(world.query, sql, [...parameters]);
  expect(nodes).toContain('account_email_pieces');
  expect(nodes).not.toContain('Seq Scan');
  expect(rows).toBeLessThan(COUNT / 100);
});

test('what many have shows the newest', async () => {
  const many = await found('many.example');
  expect(many).toHaveLength(20);
  expect(many[0]).toBe(`person-${COUNT}@many.example`);
});

test('a sign that means anything elsewhere means itself', async () => {
  expect(await found('person-1_345')).toEqual([]);
  expect(await found('%%%')).toEqual([]);
});
