// A vendor checks who customers are: signed links there, signed notices back, repeated, doubled, forged and out of order.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import type { IdentityChecker } from '../../../../../sandbox/identity/checker.ts';
import { createIdentityNoticesRoute } from '../../../../../subgraphs/accounts/billing/verifications/doors/identity-notices.ts';
import { eventsOf } from '../../../../kit/tables.ts';
import { SECRETS, codeOf, dataOf } from '../../world.ts';
import { openDoor } from '../front.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';

const SECRET = SECRETS.identitySecret;
let world: BillingWorld;
let desk: Person;
let door: Awaited<ReturnType<typeof openDoor>>;
let vendor: IdentityChecker;
beforeAll(async () => {
  world = await startBilling();
  desk = await world.account('desk@example.com', 'STAFF');
  door = await openDoor(world, createIdentityNoticesRoute);
  vendor = world.sandbox.identity;
});
afterAll(async () => {
  await door.close();
  await world.close();
});

let people = 0;
const someone = () => world.account(`checked${++people}@example.com`);
const levelOf = async ({ viewer }: Person) =>
  dataOf<{ identityLevel: number; identityExpiresAt: string | null }>(
    await world.ask(viewer, '{ me { identityLevel identityExpiresAt } }'),
    'me',
  );
const decided = async (person: Person, level: number, more: Partial<Parameters<IdentityChecker['decide']>[0]> = {}) => {
  vendor.decide({ account: person.id, level, ...more });
  await vendor.deliver();
};
const post = (body: string, { at = world.clock.now(), secret = SECRET, id = 'ntc_1', over = {} as Record<string, string> } = {}) => {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signature = `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`;
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature, ...over };
  return fetch(`${door.url}/identity/notices`, { method: 'POST', headers, body });
};
const noticeOf = (account: string, over: object = {}) =>
  JSON.stringify({
    type: 'identity.decided',
    data: { account, reference: 'chk_1', level: 1, decided_at: world.clock.now().toISOString(), ...over },
  });

test('a customer is led there by a link that the vendor accepts, and that nobody can alter or keep', async () => {
  const ada = await someone();
  const { url } = dataOf<{ url: string }>(await world.ask(ada.viewer, 'mutation { identityCheckBegin { url } }'), 'identityCheckBegin');
  expect(url).toMatch(/\/start\?account=acct_/);
  expect(new URL(url).searchParams.get('account')).toBe(ada.id);
  expect(vendor.judge(url)).toBeUndefined();
  expect(vendor.judge(url.replace(ada.id, desk.id))).toContain('not signed');
  world.clock.advance(16 * MINUTE);
  expect(vendor.judge(url)).toContain('expired');
});

test('what is decided holds from then on until it ends, and is in the activity', async () => {
  const ada = await someone();
  const expiresAt = new Date(world.clock.now().getTime() + 2 * DAY);
  await decided(ada, 2, { expiresAt });
  expect(await levelOf(ada)).toEqual({ identityLevel: 2, identityExpiresAt: expiresAt.toISOString() });
  expect((await eventsOf(world.query, ada.id, 'account.identity_set')).map(({ data }) => data)).toEqual([{ level: 2 }]);
  world.clock.advance(3 * DAY);
  expect((await levelOf(ada)).identityLevel).toBe(0);
});

test('of notices that come twice, late, forged or in another order the latest decision holds, once', async () => {
  const bo = await someone();
  const at = (hours: number) => new Date(world.clock.now().getTime() - hours * HOUR);
  Object.assign(vendor.faults, { duplicate: 1, forge: 1 });
  await decided(bo, 2, { decidedAt: at(1) });
  // A decision that was made before, and comes after it.
  await decided(bo, 1, { decidedAt: at(2) });
  Object.assign(vendor.faults, { duplicate: 0, forge: 0 });
  expect((await levelOf(bo)).identityLevel).toBe(2);
  await decided(bo, 0, { decidedAt: at(0.5) });
  expect((await levelOf(bo)).identityLevel).toBe(0);
  expect((await eventsOf<{ level: number }>(world.query, bo.id, 'account.identity_set')).map(({ data }) => data.level)).toEqual([2, 0]);
  expect(vendor.attempts().some(({ forged, status }) => forged && status === 400)).toBe(true);
});

test('what staff have noted stands against what was decided before it, and gives way to what is decided after', async () => {
  const cy = await someone();
  const earlier = world.clock.now();
  world.clock.advance(MINUTE);
  dataOf(
    await world.ask(
      desk.viewer,
      'mutation ($accountId: ID!) { supportAccountSetIdentity(accountId: $accountId, level: 3, reference: "Seen in person") { id } }',
      { accountId: cy.id },
    ),
    'supportAccountSetIdentity',
  );
  await decided(cy, 1, { decidedAt: earlier });
  expect((await levelOf(cy)).identityLevel).toBe(3);
  world.clock.advance(MINUTE);
  await decided(cy, 1);
  expect((await levelOf(cy)).identityLevel).toBe(1);
});

const premium: Partial<OfferTerms> = { item: 'residential.PREMIUM' };
/** Sets rules until the test ends. */
async function rules(...inputs: object[]): Promise<void> {
  for (const input of [{ kind: 'IDENTITY', words: ['residential.PREMIUM'], identityLevel: 2 }, ...inputs]) {
    const { id } = dataOf<{ id: string }>(
      await world.ask(desk.viewer, 'mutation ($input: RiskRuleInput!) { supportRiskRuleSet(input: $input) { id } }', {
        input: { outcome: 'REVIEW', onlyNew: false, enabled: true, ...input },
      }),
      'supportRiskRuleSet',
    );
    onTestFinished(async () => void (await world.ask(desk.viewer, 'mutation ($id: ID!) { supportRiskRuleRemove(id: $id) }', { id })));
  }
}
const isInReview = async ({ viewer }: Person, id: string) =>
  dataOf<{ inReview: boolean }>(await world.ask(viewer, 'query ($id: ID!) { order(id: $id) { inReview } }', { id }), 'order').inReview;

test('a level that is enough releases what was held for it, and nothing that waits for something else', async () => {
  await rules({ kind: 'AMOUNT', amountMinor: 5_000 });
  const dee = await someone();
  const small = await world.buy(dee, premium);
  const large = await world.buy(dee, {
    ...premium,
    subtotalMinor: 6_000,
    totalMinor: 6_000,
    lines: [{ label: 'Much', quantity: 1, amountMinor: 6_000 }],
  });
  const inReview = (id: string) => isInReview(dee, id);
  expect([await inReview(small.id), await inReview(large.id)]).toEqual([true, true]);
  await decided(dee, 1);
  await world.settle();
  expect(await inReview(small.id)).toBe(true);
  world.clock.advance(MINUTE);
  await decided(dee, 2);
  await world.settle();
  expect([await inReview(small.id), await inReview(large.id)]).toEqual([false, true]);
  const [paid] = await eventsOf(world.query, small.id, 'order.paid');
  expect(paid).toBeDefined();
});

test('a level that comes between an order and its payment is enough too', async () => {
  await rules();
  const fay = await someone();
  const order = await world.place(fay, premium);
  await decided(fay, 2);
  await world.settle();
  await world.pay(order.id);
  await world.settle();
  await world.settle();
  expect(await isInReview(fay, order.id)).toBe(false);
  expect(await eventsOf(world.query, order.id, 'order.paid')).toHaveLength(1);
});

test('only what the vendor has signed just now, over these very bytes, is heard', async () => {
  const eve = await someone();
  const body = noticeOf(eve.id);
  const refused = async (answer: Promise<Response>) => (await answer).status;
  expect(await refused(post(body, { secret: `whsec_${Buffer.from('somebody else, who is not them').toString('base64')}` }))).toBe(400);
  expect(await refused(post(body, { at: new Date(world.clock.now().getTime() - 6 * MINUTE) }))).toBe(400);
  expect(await refused(post(body, { at: new Date(world.clock.now().getTime() + 6 * MINUTE) }))).toBe(400);
  expect(await refused(post(body, { over: { 'webhook-id': 'ntc_2' } }))).toBe(400);
  expect(await refused(post(body, { over: { 'webhook-signature': 'v1,' } }))).toBe(400);
  expect(await refused(fetch(`${door.url}/identity/notices`, { method: 'POST', body }))).toBe(400);
  expect((await levelOf(eve)).identityLevel).toBe(0);
  // While the secret is being replaced the vendor signs with both.
  const two = await post(body, { id: 'ntc_3', over: {} });
  expect([two.status, await two.json()]).toEqual([200, { stored: true }]);
});

test.each([
  ['a level that there is not', { level: 10 }],
  ['a decision in the future', { decided_at: '2199-01-01T00:00:00Z' }],
  ['no reference', { reference: ' ' }],
  ['a day instead of an instant', { decided_at: '2026-01-01' }],
])('%s is refused with its field', async (_what, over) => {
  const answer = await post(noticeOf((await someone()).id, over));
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain(`data.${Object.keys(over)[0]}`);
});

test('other types, and accounts that are not ours, are answered and left alone', async () => {
  for (const body of ['{"type":"identity.started","data":{}}', noticeOf('acct_of_another_shop')]) {
    const answer = await post(body, { id: `ntc_${body.length}` });
    expect([answer.status, await answer.json()]).toEqual([200, { stored: false }]);
  }
  expect((await post('no json')).status).toBe(400);
});

test('only who is signed in begins a check', async () => {
  expect(
    codeOf(await world.ask({ kind: 'anonymous', address: '', requestId: 'req_1' }, 'mutation { identityCheckBegin { url } }')),
  ).toBeDefined();
});
