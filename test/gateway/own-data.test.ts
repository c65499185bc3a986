// An account's copy of all its stored data, and what happens to the data when the account is closed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertGrants } from '../kit/many-papers.ts';
import { askAs } from '../kit/dashboard.ts';
import { buyPackage } from '../kit/purchase.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { addRow, rowOf, rowsOf, setRows } from '../kit/tables.ts';

const PARTS = ['account', 'residential', 'static', 'servers'] as const;
/** More rows than fit on a page of one table. */
const GRANTS = 1_100;

let stack: Stack;
let ada: SeededAccount;
let cookie: string;
let planId: string;
beforeAll(async () => {
  stack = await startStack();
  ada = await stack.seed.account();
  cookie = await ada.cookie();
  ({ planId } = await buyPackage(stack, ada));
  await insertGrants(stack.database.query, ada.id, GRANTS);
});
afterAll(() => stack.close());

const get = (part: string, { as, of }: { as?: string; of?: string } = {}) =>
  fetch(`${stack.url}/account/data/${part}.json${of ? `?account=${of}` : ''}`, { headers: as ? { cookie: as } : {} });
type Copy = Record<string, Record<string, unknown>[]>;
const copyOf = async (part: string, asked: { as?: string; of?: string }): Promise<Copy> => {
  const answer = await get(part, asked);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  return (await answer.json()) as Copy;
};

test('a customer gets all of it, row by row, however much it is', async () => {
  await askAs(stack.url, cookie)('mutation { usageHostsChoose(kept: OFF) { kept } }');
  await stack.settle();
  const {
    account,
    residential,
    static: addresses,
    servers,
  } = Object.fromEntries(await Promise.all(PARTS.map(async (part) => [part, await copyOf(part, { as: cookie })]))) as Record<
    (typeof PARTS)[number],
    Copy
  >;
  expect(account['accounts.account']).toMatchObject([{ id: ada.id, email: ada.email }]);
  expect(account['accounts.customer_order']).toMatchObject([{ resource_id: planId, status: 'FULFILLED' }]);
  expect(account['accounts.invoice']).toHaveLength(1);
  const journals = await rowsOf(stack.database.query, 'accounts.journal', { account_id: ada.id });
  expect(journals.length).toBeGreaterThan(GRANTS);
  expect(new Set(account['accounts.journal']?.map(({ id }) => id)).size).toBe(journals.length);
  expect(account['accounts.journal']).toHaveLength(journals.length);
  expect(residential['residential.plan']).toMatchObject([{ id: planId }]);
  expect(residential['residential.host_choice']).toMatchObject([{ account_id: ada.id, hosts_kept: 'off' }]);
  expect(account['accounts.activity']).toContainEqual(expect.objectContaining({ type: 'usage_hosts.chosen', actor: 'OWNER' }));
  expect(addresses['static.plan']).toEqual([]);
  expect(servers['compute.server']).toEqual([]);
});

test('it has no secrets and no data of others', async () => {
  const ben = await stack.seed.account();
  const other = await buyPackage(stack, ben);
  for (const part of PARTS) {
    const text = JSON.stringify(await copyOf(part, { as: cookie }));
    expect(text).not.toMatch(/_sealed|password_hash|token_hash/);
    expect(text).not.toContain(ben.id);
    expect(text).not.toContain(other.planId);
  }
});

test('nobody else gets it but staff', async () => {
  const [ben, desk] = [await stack.seed.account(), await stack.seed.account({ role: 'STAFF' })];
  const statuses = async (asked: { as?: string; of?: string }) => Promise.all(PARTS.map(async (part) => (await get(part, asked)).status));
  expect(await statuses({})).toEqual([401, 401, 401, 401]);
  expect(await statuses({ as: await ben.cookie(), of: ada.id })).toEqual([403, 403, 403, 403]);
  const deskCookie = await desk.cookie();
  // Marks the session as if it had passed a second factor.
  await setRows(stack.database.query, 'accounts.session', { strong_at: stack.clock.now() }, { account_id: desk.id });
  expect((await copyOf('residential', { as: deskCookie, of: ada.id }))['residential.plan']).toMatchObject([{ id: planId }]);
  const ask = askAs(stack.url, cookie);
  await expect(ask('{ residentialData(after: "nowhere") { next } }')).rejects.toThrow();
});

test('when the account is closed its plans stop, and data that need not be kept is deleted', async () => {
  const { query } = stack.database;
  const ask = askAs(stack.url, cookie);
  await ask(`{ residentialProxies(planId: "${planId}", input: { targeting: { pool: "Germany" }, session: STICKY, quantity: 3 }) { id } }`);
  expect(await rowsOf(query, 'residential.proxy_batch', { plan_id: planId })).toHaveLength(1);
  await ask(
    `mutation { generationPresetSave(planId: "${planId}", name: "Shops", input: { targeting: { pool: "Germany" }, session: STICKY, quantity: 3 }) { name } }`,
  );
  await addRow(query, 'static.stock_wish', {
    account_id: ada.id,
    product_id: 'isp-northline',
    quantity: 3,
    created_at: stack.clock.now().toISOString(),
  });
  await ask('mutation ($password: String!) { accountClose(password: $password) { kind } }', { password: ada.password });
  await stack.settle();
  expect(await rowOf(query, 'residential.plan', { id: planId })).toMatchObject({ account_suspended: true });
  expect(await rowsOf(query, 'residential.proxy_batch', { plan_id: planId })).toEqual([]);
  expect(await rowsOf(query, 'residential.generation_preset', { account_id: ada.id })).toEqual([]);
  expect(await rowsOf(query, 'static.stock_wish', { account_id: ada.id })).toEqual([]);
  expect(await rowOf(query, 'accounts.account', { id: ada.id })).toMatchObject({ email: null });
});
