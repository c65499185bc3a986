// Every table declares which personal data it holds, and how long.
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { KEPT_BY, registerPage } from '../../register-page.ts';
import { createTestDatabase } from '../kit/database.ts';
import { primaryKeys, tableColumns } from '../kit/tables.ts';

const database = await createTestDatabase();
afterAll(() => database.drop());
const tables = Object.values(KEPT_BY).flat();

test('docs/data-protection.md is up to date: npm run --silent register > docs/data-protection.md', () => {
  expect(readFileSync(new URL('../../docs/data-protection.md', import.meta.url), 'utf8')).toBe(registerPage());
});

test('it has every table of the database once, by its primary key', async () => {
  const keys = await primaryKeys(database.query);
  expect(tables.map(({ table }) => table).toSorted()).toEqual([...keys.keys()].toSorted());
  for (const { table, key } of tables) {
    const own = keys.get(table) ?? [];
    // The partitioned usage ledger has no key; the numbers of counted lines keep its rows unique.
    expect(own.length === 0 ? key : own, table).toEqual(key);
  }
});

test('no copy has a secret, or a value derived from one', async () => {
  const open: string[] = [];
  for (const { table, holds, of, secret = [] } of tables)
    if (holds !== undefined && of !== undefined)
      for (const column of await tableColumns(database.query, table))
        if (/_sealed$|hash$|^secret|secret$|fingerprint|public_key|challenge$|session_id|_url$/.test(column) && !secret.includes(column))
          open.push(`${table}.${column}`);
  expect(open).toEqual([]);
});

test('cleared and secret columns exist in their table', async () => {
  for (const { table, secret = [], atClosing } of tables) {
    const columns = await tableColumns(database.query, table);
    const named = [...secret, ...(typeof atClosing === 'object' ? Object.keys(atClosing) : [])];
    expect(
      named.filter((name) => !columns.includes(name)),
      table,
    ).toEqual([]);
  }
});
