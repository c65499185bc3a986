// What support gives away: no member of staff gives to their own account, and each has a daily limit.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { codeOf, dataOf } from '../../world.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';
import { placeOrder } from '../../../../kit/purchase.ts';

let world: BillingWorld;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  world = await startBilling({ STAFF_DAILY_LIMIT: '100' });
  ann = await world.account('ann@desk.example', 'STAFF');
  ben = await world.account('ben@desk.example', 'STAFF');
});
afterAll(() => world.close());

const OWN = 'own_account_refused';
/** Mutations of support that a member of staff could use for their own account. */
const ISSUE = 'mutation ($id: ID!) { supportApiKeyIssue(input: { accountId: $id, kind: STANDARD }) { apiKey { id } } }';
const ROTATE = 'mutation ($id: ID!) { supportApiKeyRotate(id: $id) { apiKey { id } } }';
const ARRANGE = 'mutation ($id: ID!) { supportArrangementRecord(accountId: $id, kind: PRICE, terms: "All for a cent.") { id } }';
const ALLOW = 'mutation ($id: ID!, $allowed: Boolean!) { supportAccountAllowApi(id: $id, allowed: $allowed) { id } }';
const ENROL = 'mutation ($id: ID!) { supportEnrolmentLink(accountId: $id) { url } }';

test('nobody gives their own account credit, a refund, a price, a key, the use of the API or a transfer; a colleague may', async () => {
  const by = ann.viewer;
  const { id: orderId } = await world.buy({ ...ann, viewer: { ...ann.viewer, staff: false } as typeof ann.viewer });
  expect(codeOf(await world.grant(ann.id, 500, by))).toBe(OWN);
  expect(codeOf(await world.refund(by, { orderId, destination: 'CREDIT', amountMinor: 100 }))).toBe(OWN);
  for (const query of [ISSUE, ARRANGE, ENROL]) expect(codeOf(await world.ask(by, query, { id: ann.id })), query).toBe(OWN);
  const { apiKey } = dataOf<{ apiKey: { id: string } }>(await world.ask(ben.viewer, ISSUE, { id: ann.id }), 'supportApiKeyIssue');
  expect(codeOf(await world.ask(by, ROTATE, { id: apiKey.id }))).toBe(OWN);
  expect(codeOf(await world.ask(by, ALLOW, { id: ann.id, allowed: true }))).toBe(OWN);
  const transfer = await world.ask({ ...ann.viewer, staff: false } as typeof ann.viewer, placeOrder('id', 'BANK_TRANSFER'), {
    offer: world.offer(ann.id, {
      lines: [{ label: 'Premium, 200 GB', quantity: 200, amountMinor: 80_000 }],
      subtotalMinor: 80_000,
      totalMinor: 80_000,
    }),
    key: world.newKey(),
  });
  const input = {
    orderId: dataOf<{ id: string }>(transfer, 'orderPlace').id,
    amountMinor: 80_000,
    bankReference: 'a transfer of ann',
    idempotencyKey: world.newKey(),
  };
  const CONFIRM = 'mutation ($input: SupportTransferConfirmInput!) { supportTransferConfirm(input: $input) { status } }';
  expect(codeOf(await world.ask(by, CONFIRM, { input }))).toBe(OWN);
  expect(codeOf(await world.ask(ben.viewer, CONFIRM, { input: { ...input, idempotencyKey: world.newKey() } }))).toBeUndefined();
  expect(codeOf(await world.grant(ann.id, 500, ben.viewer))).toBeUndefined();
  expect(await world.balance(ann)).toBe(500);
});

test('one member of staff gives so much a day, credit and refunds together, however it is raced; another may give the rest', async () => {
  world.clock.advance(DAY);
  const cid = await world.account('cid@example.com');
  const { id: orderId } = await world.buy(cid);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => world.grant(cid.id, 900, ann.viewer)));
  expect(outcomes.map(codeOf).filter((code) => code === undefined)).toHaveLength(11);
  expect(new Set(outcomes.map(codeOf))).toEqual(new Set([undefined, 'staff_limit_reached']));
  expect(await world.balance(cid)).toBe(11 * 900);
  expect(codeOf(await world.refund(ann.viewer, { orderId, destination: 'CREDIT', amountMinor: 101 }))).toBe('staff_limit_reached');
  expect(codeOf(await world.refund(ann.viewer, { orderId, destination: 'CREDIT', amountMinor: 100 }))).toBeUndefined();
  expect(codeOf(await world.grant(cid.id, 1, ann.viewer))).toBe('staff_limit_reached');
  expect(codeOf(await world.grant(cid.id, 900, ben.viewer))).toBeUndefined();
  expect(await world.balance(cid)).toBe(12 * 900 + 100);
  world.clock.advance(DAY);
  expect(codeOf(await world.grant(cid.id, 10_000, ann.viewer))).toBeUndefined();
});

test('a repeat of a gift counts once', async () => {
  world.clock.advance(DAY);
  const dan = await world.account('dan@example.com');
  const key = world.newKey();
  for (let count = 0; count < 5; count++) expect(codeOf(await world.grant(dan.id, 6_000, ann.viewer, key))).toBeUndefined();
  expect(codeOf(await world.grant(dan.id, 4_000, ann.viewer))).toBeUndefined();
});
