// The purchase of a restore drill, on platforms that sell, that hold or refuse orders by rules of the desk, and that take money and deliver nothing.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { after } from '#platform/clock.ts';
import { buyAsStranger } from '../../drill-purchase.ts';
import { publishLegalText } from '../../subgraphs/accounts/identity/services/legal-texts.ts';
import { removeRule, setRule } from '../../subgraphs/accounts/billing/reviews/services/risk-desk.ts';
import { sessionOf } from '../kit/platform.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { setRows } from '../kit/tables.ts';

let stack: Stack;
let desk: ReturnType<Stack['subgraphs']['accounts']['context']>;
beforeAll(async () => {
  stack = await startStack();
  const { id } = await stack.seed.account({ role: 'STAFF' });
  desk = stack.subgraphs.accounts.context(sessionOf(id, true));
}, 60_000);
afterAll(() => stack.close());

const rules: string[] = [];
const rule = async (outcome: 'REVIEW' | 'REFUSE') =>
  rules.push((await setRule(desk, { kind: 'AMOUNT', amountMinor: 1, outcome, onlyNew: true, enabled: true })).id);
afterEach(async () => {
  for (const id of rules.splice(0)) await removeRule(desk, id);
});

const buy = (waitMs?: number) => buyAsStranger({ url: stack.url, mailUrl: stack.sandbox.mail.url, ...(waitMs && { waitMs }) });

test('somebody signs up, buys and has it, also where terms must be agreed to', async () => {
  expect(await buy()).toMatch(/^Somebody signed up, bought Premium.*, \d+ GB for \d+\.\d\d USD by card, and has it\.$/);
  await publishLegalText(desk, { kind: 'TERMS', text: { en: 'Be kind.' } });
  stack.clock.set(after(stack.clock.now(), 1));
  expect(await buy()).toMatch(/and has it\.$/);
});

test('rules of the desk that hold or refuse first orders are no fault of the backup, and it says so', async () => {
  await rule('REVIEW');
  expect(await buy()).toMatch(/^Somebody signed up and paid for .*A rule of the desk holds the order, so its delivery was not seen\.$/);
  await rule('REFUSE');
  expect(await buy()).toBe('Somebody signed up. A rule of the desk refuses the order, so nothing was bought.');
});

// As it was when cursors held transaction ids of another server: ready, balanced, and deaf to every order.
test('a platform whose reader is ahead of all events takes the money and fails the drill', async () => {
  await setRows(stack.database.query, 'platform.cursor', { position: 1e12 }, { reader: 'residential' });
  await expect(buy(5_000)).rejects.toThrow('An order that was paid by card stays PAID and is not delivered.');
});
