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
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const closes: (() => Promise<void>)[] = [];
    const error = vi.fn<() => void>();
    const countries = await openAddressCountry(file, { ...silentLog, error }, (close) => closes.push(close));
    expect(countries.of('198.51.100.1')).toBe('FR');
    const look = (text: string) => {
      writeFileSync(file, text);
      vi.advanceTimersByTime(60_000);
    };
    look('198.51.100.0/24,IT\n# longer\n');
    await vi.waitFor(() => expect(countries.of('198.51.100.1')).toBe('IT'));
    look('198.51.100.0/24,Italy\n');
    await vi.waitFor(() => expect(error).toHaveBeenCalledOnce());
    expect(countries.of('198.51.100.1')).toBe('IT');
    for (const close of closes) await close();
  } finally {
    vi.useRealTimers();
  }
});

test('a table that cannot be used stops the start, and says why', async () => {
  writeFileSync(file, '203.0.113.0/24,Germany\n');
  const open = (path: string | undefined) => openAddressCountry(path, silentLog, () => {});
  await expect(open(file)).rejects.toThrow(/GEO_FILE .*countries\.csv cannot be used\. line 1: /);
  await expect(open(join(folder, 'none.csv'))).rejects.toThrow('GEO_FILE');
  expect((await open(undefined)).of('203.0.113.9')).toBeUndefined();
});
