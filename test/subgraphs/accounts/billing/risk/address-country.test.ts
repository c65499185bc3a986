// The country of the address that an order comes from, in the rule on countries that differ.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { openAddressCountry } from '../../../../../subgraphs/accounts/billing/risk/providers/address-country.ts';
import { rowOf } from '../../../../kit/tables.ts';
import { dataOf } from '../../world.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'egress-countries-'));
const file = join(folder, 'countries.csv');
writeFileSync(file, '203.0.113.0,203.0.113.255,DE\n198.51.100.0/24,FR\n');

let world: BillingWorld;
beforeAll(async () => {
  world = await startBilling({ GEO_FILE: file });
  const desk = await world.account('desk@example.com', 'STAFF');
  const input = { kind: 'COUNTRY_MISMATCH', outcome: 'REVIEW', onlyNew: false, enabled: true };
  dataOf(
    await world.ask(desk.viewer, 'mutation ($input: RiskRuleInput!) { supportRiskRuleSet(input: $input) { id } }', { input }),
    'supportRiskRuleSet',
  );
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const buyFrom = async (person: Person, address: string) => {
  const { id } = await world.buy({ ...person, viewer: { ...person.viewer, address } });
  const found = await rowOf<{ findings: { detail: string }[] }>(world.query, 'accounts.order_review', { order_id: id });
  return found?.findings.map(({ detail }) => detail);
};

test('an order from another country than the billing details say is held; one from there, or from nowhere known, is not', async () => {
  const ada = await world.account('ada@example.com');
  await world.moveTo(ada, 'US');
  expect(await buyFrom(ada, '203.0.113.9')).toEqual([expect.stringContaining('DE')]);
  expect(await buyFrom(ada, '192.0.2.1')).toBeUndefined();
});

test('a table that is replaced is read again, and one with a mistake leaves the last one', async () => {
  vi.useFakeTimers();
  try {
    const closes: (() => Promise<void>)[] = [];
    const countries = openAddressCountry(file, silentLog, (close) => closes.push(close));
    expect(countries.of('198.51.100.1')).toBe('FR');
    const look = async (text: string) => {
      writeFileSync(file, text);
      await vi.advanceTimersByTimeAsync(60_000);
      vi.useRealTimers();
      await new Promise((resolve) => setTimeout(resolve, 200));
      vi.useFakeTimers();
    };
    await look('198.51.100.0/24,IT\n# longer\n');
    expect(countries.of('198.51.100.1')).toBe('IT');
    for (const close of closes) await close();
  } finally {
    vi.useRealTimers();
  }
});

test('a table that cannot be used stops the start, and says why', () => {
  writeFileSync(file, '203.0.113.0/24,Germany\n');
  expect(() => openAddressCountry(file, silentLog, () => {})).toThrow(/GEO_FILE .*countries\.csv cannot be used\. line 1: /);
  expect(() => openAddressCountry(join(folder, 'none.csv'), silentLog, () => {})).toThrow('GEO_FILE');
  expect(openAddressCountry(undefined, silentLog, () => {}).of('203.0.113.9')).toBeUndefined();
});
