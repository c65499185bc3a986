import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { systemViewer } from '#platform/identity.ts';
import { callerOfApiKey } from '../../../../subgraphs/accounts/keys/services/api-keys.ts';
import { existingAccount } from '../../../../subgraphs/accounts/identity/entities/account.ts';
import { issueApiKey } from '../../../../subgraphs/accounts/keys/services/issue-api-key.ts';
import { keyOf } from '../../../kit/platform.ts';
import { type AccountsWorld, codeOf, dataOf, startAccounts } from '../world.ts';
import { deleteRows, rowsOf, setRows } from '../../../kit/tables.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

const CALLER = 'query ($key: String!) { callerOfApiKey(key: $key) { accountId keyId sessionId scopes expiresAt } }';
const REVOKE = 'mutation ($id: ID!) { apiKeyRevoke(id: $id) { id status revokedAt } }';
const LIST = '{ me { apiKeys { id masked prefix lastFour status expiresAt revokedAt lastUsedAt lastUsedAddress } } }';

const callerOf = (key: string) => world.ask({ ...systemViewer('gateway', 'req_test'), address: '192.0.2.7' }, CALLER, { key });
const issue = (accountId: string, expiresAt: Date | null = null) => issueApiKey(world.context(), { accountId, expiresAt });
const listOf = async (viewer: Parameters<AccountsWorld['ask']>[0]) =>
  dataOf<{ apiKeys: Record<string, unknown>[] }>(await world.ask(viewer, LIST), 'me').apiKeys;

test('an issued key names its account and what it may do', async () => {
  const { id } = await world.account('ada@example.com');
  const { key, row } = await issue(id);
  expect(key).toMatch(/^egress_test_[0-9A-Za-z]{49}$/);
  expect(await callerOf(key)).toEqual({
    data: { callerOfApiKey: { accountId: id, keyId: row.id, sessionId: null, scopes: ['read', 'generate'], expiresAt: null } },
  });
});

test('a key is looked up without a unit of work, but in the transaction of one that has begun', async () => {
  const { id } = await world.account('tx@example.com');
  const { key } = await issue(id);
  const ctx = world.context();
  expect((await callerOfApiKey(ctx, key)).accountId).toBe(id);
  expect(ctx.pool).toBeDefined();
  await inTransaction(ctx, async (tx) => {
    expect(tx.pool).toBeUndefined();
    (await existingAccount(tx.em, id)).apiAllowed = false;
    await tx.em.flush();
    await expect(callerOfApiKey(tx, key)).rejects.toMatchObject({ code: 'api_not_allowed' });
  });
  expect(ctx.pool).toBeUndefined();
});

test('the key is shown masked ever after, with its last use and address, and stored as a hash', async () => {
  const { id, viewer } = await world.account('bob@example.com');
  const { key, row } = await issue(id);
  await callerOf(key);
  await world.context().providers.keyUse.flush();
  expect(await listOf(viewer)).toEqual([
    {
      id: row.id,
      masked: `egress_test_...${key.slice(-4)}`,
      prefix: 'egress_test_',
      lastFour: key.slice(-4),
      status: 'ACTIVE',
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: world.clock.now().toISOString(),
      lastUsedAddress: '192.0.2.7',
    },
  ]);
  expect(JSON.stringify(await rowsOf(world.query, 'accounts.api_key'))).not.toContain(key.slice(12));
  expect((await world.mailed('bob@example.com')).map((mail) => mail.raw).join()).not.toContain(key.slice(12));
});

test('malformed, unknown, expired and revoked keys are refused with codes of their own', async () => {
  const { id, viewer } = await world.account('cat@example.com');
  const { key } = await issue(id);
  expect(codeOf(await callerOf(''))).toBe('key_malformed');
  expect(codeOf(await callerOf(key.slice(0, -1)))).toBe('key_malformed');
  expect(codeOf(await callerOf(key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))))).toBe('key_malformed');
  expect(codeOf(await callerOf(key.toLowerCase()))).toBe('key_malformed');

  const { key: unknown, row: removed } = await issue(id);
  await deleteRows(world.query, 'accounts.api_key', { id: removed.id });
  expect(codeOf(await callerOf(unknown))).toBe('key_unknown');

  const { key: brief } = await issue(id, after(world.clock.now(), DAY));
  expect(codeOf(await callerOf(brief))).toBeUndefined();
  world.clock.advance(DAY);
  expect(codeOf(await callerOf(brief))).toBe('key_expired');

  const { key: revoked, row } = await issue(id);
  expect(await world.ask(viewer, REVOKE, { id: row.id })).toEqual({
    data: { apiKeyRevoke: { id: row.id, status: 'REVOKED', revokedAt: world.clock.now().toISOString() } },
  });
  expect(codeOf(await callerOf(revoked))).toBe('key_revoked');
  expect((await listOf(viewer)).map(({ status }) => status).toSorted()).toEqual(['ACTIVE', 'EXPIRED', 'REVOKED']);
});

test('a key of an account that may not use the API is refused, and works again when it may', async () => {
  const { id } = await world.account('dan@example.com');
  const { key } = await issue(id);
  await setRows(world.query, 'accounts.account', { api_allowed: false }, { id });
  expect(codeOf(await callerOf(key))).toBe('api_not_allowed');
  await setRows(world.query, 'accounts.account', { api_allowed: true }, { id });
  expect(codeOf(await callerOf(key))).toBeUndefined();
});

test("another account's key is not found, and a key can revoke nothing", async () => {
  const owner = await world.account('eve@example.com');
  const other = await world.account('fay@example.com');
  const { row } = await issue(owner.id);
  expect(codeOf(await world.ask(other.viewer, REVOKE, { id: row.id }))).toBe('key_not_found');
  expect(codeOf(await world.ask(keyOf(owner.id), REVOKE, { id: row.id }))).toBe('forbidden');
  expect(await listOf(owner.viewer)).toMatchObject([{ status: 'ACTIVE' }]);
});

test('a revocation is announced to every gateway at commit, once', async () => {
  const { id, viewer } = await world.account('gil@example.com');
  const { row } = await issue(id);
  const heard: (string | undefined)[] = [];
  let hear = () => {};
  const announced = new Promise<void>((resolve) => (hear = resolve));
  await world.platform.notifications.listen('egress_access', (payload) => {
    heard.push(payload);
    hear();
  });
  await world.ask(viewer, REVOKE, { id: row.id });
  await announced;
  await world.ask(viewer, REVOKE, { id: row.id });
  expect(heard).toEqual([row.id]);
});

test('uses are gathered and stored together, the latest one counting', async () => {
  const { id, viewer } = await world.account('hal@example.com');
  const { key } = await issue(id);
  await callerOf(key);
  world.clock.advance(MINUTE);
  await callerOf(key);
  await world.context().providers.keyUse.flush();
  expect((await listOf(viewer))[0]?.['lastUsedAt']).toBe(world.clock.now().toISOString());
});
