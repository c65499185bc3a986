// API keys that support issues, changes and revokes, and what their owners are told.
import { expect, test } from 'vitest';
import { DAY, HOUR, after } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { type Viewer } from '#platform/identity.ts';
import { createAccess } from '../../../../gateway/sign-in/access.ts';
import { createKeyUse } from '../../../../gateway/sign-in/key-use.ts';
import { createRateLimiter } from '../../../../gateway/http/rate-limit.ts';
import { keyOf } from '../../../kit/platform.ts';
import { codeOf, dataOf } from '../world.ts';
import {
  openDesk,
  world,
  staff,
  ISSUE,
  ROTATE,
  REQUEST,
  ROTATION,
  KEYS,
  type Issued,
  issue,
  callerOf,
  activityOf,
} from '../support/desk.ts';

openDesk();

test('support issues a key, shown in full this once, and the owner is told and sees who did it', async () => {
  const { id } = await world.account('ada@example.com');
  const { key, apiKey } = await issue(id);
  expect(apiKey).toMatchObject({
    masked: `egress_test_...${key.slice(-4)}`,
    kind: 'STANDARD',
    scopes: ['READ', 'GENERATE'],
    allowedAddresses: [],
    expiresAt: null,
  });
  expect(codeOf(await callerOf(key))).toBeUndefined();
  expect((await world.mailed('ada@example.com')).map((mail) => mail.subject)).toEqual(['A new API key for your Egress account']);
  expect(await activityOf(id)).toContain('SUPPORT api_key.issued');
  expect(codeOf(await world.ask(staff, ISSUE, { input: { accountId: 'acct_none', kind: 'STANDARD' } }))).toBe('account_not_found');
  expect(
    codeOf(await world.ask(staff, ISSUE, { input: { accountId: id, kind: 'STANDARD', expiresAt: world.clock.now().toISOString() } })),
  ).toBe('parameter_invalid');
});

test('a partner key has its scopes, and works from its addresses only', async () => {
  const { id } = await world.account('bob@example.com');
  const { key } = await issue(id, { kind: 'PARTNER', scopes: ['READ', 'BILLING'], allowedAddresses: ['203.0.113.0/24'] });
  expect(await callerOf(key, '203.0.113.9')).toMatchObject({ data: { callerOfApiKey: { scopes: ['read', 'billing'] } } });
  expect(codeOf(await callerOf(key, '192.0.2.7'))).toBe('address_not_allowed');
  const partner = { ...keyOf(id), scopes: ['read', 'billing'] } as Viewer;
  expect(codeOf(await world.ask(partner, '{ me { id orders { id } } }'))).toBeUndefined();
  expect(codeOf(await world.ask(keyOf(id), '{ me { id orders { id } } }'))).toBe('forbidden');
});

test('an owner asks for a key, support is told and answers once', async () => {
  const { id, viewer } = await world.account('cat@example.com');
  const input = { kind: 'PARTNER', scopes: ['READ'], allowedAddresses: ['203.0.113.7'], note: 'For our shop' };
  const request = dataOf<{ id: string }>(await world.ask(viewer, REQUEST, { input }), 'apiKeyRequest');
  expect(request).toEqual({ id: request.id, kind: 'PARTNER', scopes: ['READ'], allowedAddresses: ['203.0.113.7'], status: 'OPEN' });
  expect((await world.mailed('support@egress.example')).at(-1)?.subject).toBe('An API key is asked for by cat@example.com');
  const waiting = dataOf<{ id: string; account: { email: string } }[]>(
    await world.ask(staff, '{ supportKeyRequests { id account { email } note } }'),
    'supportKeyRequests',
  );
  expect(waiting).toEqual([{ id: request.id, account: { email: 'cat@example.com' }, note: 'For our shop' }]);
  const { note: _, ...terms } = input;
  await issue(id, { ...terms, requestId: request.id });
  expect(dataOf(await world.ask(viewer, '{ me { keyRequests { id status } } }'), 'me')).toEqual({
    keyRequests: [{ id: request.id, status: 'ISSUED' }],
  });
  expect(codeOf(await world.ask(staff, ISSUE, { input: { accountId: id, kind: 'STANDARD', requestId: request.id } }))).toBe(
    'request_not_found',
  );
  expect(dataOf<{ apiKeys: unknown[] }>(await world.ask(viewer, KEYS), 'me').apiKeys).toHaveLength(1);
});

test('requests are bounded, and can be declined', async () => {
  const { id: ownerId, viewer } = await world.account('dan@example.com');
  const ids = [];
  for (let count = 0; count < 5; count++)
    ids.push(dataOf<{ id: string }>(await world.ask(viewer, REQUEST, { input: { kind: 'STANDARD' } }), 'apiKeyRequest').id);
  expect(codeOf(await world.ask(viewer, REQUEST, { input: { kind: 'STANDARD' } }))).toBe('too_many_attempts');
  const decline = (id: string) => world.ask(staff, 'mutation ($id: ID!) { supportKeyRequestDecline(id: $id) { status } }', { id });
  for (const id of ids) expect(await decline(id)).toEqual({ data: { supportKeyRequestDecline: { status: 'DECLINED' } } });
  expect((await activityOf(ownerId)).filter((act) => act === 'SUPPORT api_key.declined')).toHaveLength(5);
  expect(codeOf(await decline(ids[0] ?? ''))).toBe('request_not_found');
  expect(codeOf(await world.ask(viewer, REQUEST, { input: { kind: 'STANDARD', note: 'x'.repeat(1_001) } }))).toBe('parameter_invalid');
  expect(codeOf(await world.ask(viewer, REQUEST, { input: { kind: 'PARTNER' } }))).toBe('parameter_invalid');
});

test('a rotated key works on for the overlap that its owner chose, and no longer', async () => {
  const { id, viewer } = await world.account('eve@example.com');
  const old = await issue(id, { kind: 'PARTNER', scopes: ['READ'], allowedAddresses: ['192.0.2.0/24'] });
  const request = (overlapHours: number) => world.ask(viewer, ROTATION, { id: old.apiKey.id, overlapHours });
  for (const hours of [-1, 25]) expect(codeOf(await request(hours))).toBe('parameter_invalid');
  expect(await request(3)).toMatchObject({ data: { apiKeyRequestRotation: { replaces: old.apiKey.id, overlapHours: 3, status: 'OPEN' } } });
  const fresh = dataOf<Issued>(await world.ask(staff, ROTATE, { id: old.apiKey.id }), 'supportApiKeyRotate');
  expect(fresh.apiKey).toMatchObject({ kind: 'PARTNER', scopes: ['READ'], allowedAddresses: ['192.0.2.0/24'] });
  expect([codeOf(await callerOf(old.key)), codeOf(await callerOf(fresh.key))]).toEqual([undefined, undefined]);
  world.clock.advance(3 * HOUR);
  expect([codeOf(await callerOf(old.key)), codeOf(await callerOf(fresh.key))]).toEqual(['key_expired', undefined]);
  expect(dataOf(await world.ask(viewer, '{ me { keyRequests { status } } }'), 'me')).toEqual({ keyRequests: [{ status: 'ISSUED' }] });
});

test('without an overlap the old key is dead at once, and a dead key is not rotated', async () => {
  const { id } = await world.account('fay@example.com');
  const old = await issue(id);
  const fresh = dataOf<Issued>(await world.ask(staff, ROTATE, { id: old.apiKey.id, overlapHours: 0 }), 'supportApiKeyRotate');
  expect([codeOf(await callerOf(old.key)), codeOf(await callerOf(fresh.key))]).toEqual(['key_revoked', undefined]);
  expect(codeOf(await world.ask(staff, ROTATE, { id: old.apiKey.id }))).toBe('key_not_active');
  expect(codeOf(await world.ask(staff, ROTATE, { id: 'key_none' }))).toBe('key_not_found');
});

test("support revokes a key, forbids and allows the API, ends sessions; each act is the account's activity", async () => {
  const { id } = await world.account('gil@example.com');
  const { token } = await world.logIn('gil@example.com');
  const [one, two] = [await issue(id), await issue(id)];
  expect(await world.ask(staff, 'mutation ($id: ID!) { supportApiKeyRevoke(id: $id) { status } }', { id: one.apiKey.id })).toEqual({
    data: { supportApiKeyRevoke: { status: 'REVOKED' } },
  });
  const allow = (allowed: boolean) =>
    world.ask(staff, 'mutation ($id: ID!, $allowed: Boolean!) { supportAccountAllowApi(id: $id, allowed: $allowed) { apiAllowed } }', {
      id,
      allowed,
    });
  expect(await allow(false)).toEqual({ data: { supportAccountAllowApi: { apiAllowed: false } } });
  expect(codeOf(await callerOf(two.key))).toBe('api_not_allowed');
  await allow(true);
  expect([codeOf(await callerOf(one.key)), codeOf(await callerOf(two.key))]).toEqual(['key_revoked', undefined]);
  expect(await world.ask(staff, 'mutation ($id: ID!) { supportSessionsClose(accountId: $id) }', { id })).toEqual({
    data: { supportSessionsClose: 1 },
  });
  expect(await world.isIn(token)).toBe(false);
  const acts = await activityOf(id);
  for (const act of ['api_key.revoked', 'account.api_forbidden', 'account.api_allowed', 'session.all_ended'])
    expect(acts).toContain(`SUPPORT ${act}`);
});

test('the owner of a key is told seven days and one day before it ends, once each', async () => {
  const { id } = await world.account('kim@example.com');
  await issue(id, { expiresAt: after(world.clock.now(), 10 * DAY).toISOString() });
  await issue(id, { expiresAt: after(world.clock.now(), HOUR).toISOString() });
  const warnings = async () =>
    (await world.mailed('kim@example.com')).map((mail) => mail.subject).filter((subject) => subject.includes('expires'));
  const look = async () => {
    await world.platform.queue.runNow('accounts.keys-warn');
    await world.platform.queue.runNow('accounts.keys-warn');
    return warnings();
  };
  expect(await look()).toEqual(['Your Egress API key expires tomorrow']);
  world.clock.advance(3 * DAY);
  expect((await look()).slice(1)).toEqual(['Your Egress API key expires in 7 days']);
  world.clock.advance(6 * DAY);
  expect((await look()).slice(2)).toEqual(['Your Egress API key expires tomorrow']);
  world.clock.advance(DAY);
  expect(await look()).toHaveLength(3);
});

test("what gateways count is the key's requests of the last thirty days", async () => {
  const { id, viewer } = await world.account('lea@example.com');
  const { key, apiKey } = await issue(id);
  const bound = await issue(id, { kind: 'PARTNER', scopes: ['READ'], allowedAddresses: ['203.0.113.7'] });
  const limiter = await createRateLimiter({ log: silentLog });
  const keyUse = createKeyUse({ accounts: world.source, clock: world.clock, log: silentLog });
  const access = keyUse.counted(createAccess({ accounts: world.source, limiter, clock: world.clock, log: silentLog }));
  const from = (address: string) => ({ address, requestId: 'req_test' });
  for (let count = 0; count < 3; count++) await access.admitKey(`Bearer ${key}`, from('192.0.2.7'));
  await access.admitKey(`Bearer ${key.slice(0, -1)}`, from('192.0.2.7'));
  expect((await access.admitKey(`Bearer ${bound.key}`, from('203.0.113.7'))).failure).toBeUndefined();
  expect((await access.admitKey(`Bearer ${bound.key}`, from('192.0.2.7'))).failure?.code).toBe('address_not_allowed');
  await keyUse.flush();
  await keyUse.flush();
  const counts = async () =>
    Object.fromEntries(
      dataOf<{ apiKeys: { id: string; requestsLast30Days: number }[] }>(await world.ask(viewer, KEYS), 'me').apiKeys.map((each) => [
        each.id,
        each.requestsLast30Days,
      ]),
    );
  expect(await counts()).toEqual({ [apiKey.id]: 3, [bound.apiKey.id]: 1 });
  world.clock.advance(29 * DAY);
  await access.admitKey(`Bearer ${key}`, from('192.0.2.7'));
  await keyUse.close();
  expect(await counts()).toEqual({ [apiKey.id]: 4, [bound.apiKey.id]: 1 });
  world.clock.advance(DAY);
  expect(await counts()).toEqual({ [apiKey.id]: 1, [bound.apiKey.id]: 0 });
  await limiter.close();
});
