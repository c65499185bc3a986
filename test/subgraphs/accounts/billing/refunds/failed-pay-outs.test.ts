// Pay-outs of credit that do not arrive, that need a second person, or that belong to closed accounts.
import { expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { planFaults } from '../../../../kit/faults.ts';
import { PASSWORD, codeOf, dataOf } from '../../world.ts';
import { type Person, startBilling } from '../world.ts';
import { withDesk } from '../with-desk.ts';
import { booksSince, payOutsIn } from './pay-outs.ts';

const { world, desk } = await withDesk(startBilling({ STAFF_DAILY_LIMIT: '100000', STAFF_GRANT_LIMIT: '20' }));
const ben = await world.account('ben@desk.example', 'STAFF');
const pay = payOutsIn(world, desk);
let people = 0;
const someone = () => world.account(`not-paid-out${++people}@example.com`);
const CLOSE = 'mutation ($password: String) { accountClose(password: $password) { what } }';
const close = async ({ email }: Person) => codeOf(await world.ask((await world.logIn(email)).viewer, CLOSE, { password: PASSWORD }));
const request = async (accountId: string, amountMinor: number, payTo?: string, by = desk) =>
  dataOf<{ id: string }>(
    await world.ask(by.viewer, 'mutation ($input: SupportCreditRequestInput!) { supportCreditRequest(input: $input) { id kind } }', {
      input: { accountId, amountMinor, currency: 'USD', reason: 'You asked for it', kind: 'PAY_OUT', payTo },
    }),
    'supportCreditRequest',
  ).id;
const approve = (id: string, by: Person) =>
  world.ask(by.viewer, 'mutation ($id: ID!) { supportCreditApprove(id: $id) { kind decision } }', { id });

test('what the bank sends back is credit again, told to its owner, and then goes by hand', async () => {
  const ada = await someone();
  const before = await world.books();
  await pay.creditByCard(ada);
  await pay.payOut(ada, { amountMinor: 2_000 });
  await world.settle();
  expect(await pay.payOuts(ada)).toMatchObject([{ status: 'DONE' }]);
  world.sandbox.card.bank.failRefund(world.sandbox.card.refunds().at(-1)?.id ?? '');
  await world.settle();
  expect(await pay.payOuts(ada)).toMatchObject([{ status: 'CREDITED' }]);
  expect(await world.balance(ada)).toBe(2_500);
  expect(await booksSince(world, before)).toEqual({ PROCESSOR: 2_500, CUSTOMER_CREDIT: -2_500 });
  expect((await world.mailed(ada.email)).at(-1)?.subject).toMatch(/could not be paid out$/);
  expect(await pay.payable(ada)).toMatchObject({
    byItself: { amountMinor: 0 },
    parts: [{ destination: 'BANK_TRANSFER', byHand: true, amount: { amountMinor: 2_500 } }],
  });
});

test('a refusal that nobody knows waits for a person, and the credit is not there meanwhile', async () => {
  const bob = await someone();
  const order = await pay.creditByCard(bob);
  world.sandbox.card.faults.webhooks.drop = 1;
  world.sandbox.card.bank.dispute(await world.checkoutOf(order));
  await pay.payOut(bob, { amountMinor: 2_000 });
  await world.settle();
  world.sandbox.card.faults.webhooks.drop = 0;
  const [failed] = await pay.payOuts(bob);
  expect(failed).toMatchObject({ status: 'FAILED' });
  expect(await world.balance(bob)).toBe(500);
  expect(dataOf(await pay.resolve(failed?.id ?? '', 'AS_CREDIT'), 'supportRefundResolve')).toEqual({ status: 'CREDITED' });
  expect(await world.balance(bob)).toBe(2_500);
});

test('a pay-out that meets a refund by hand, of which the books know already, is not booked again and not credit as well', async () => {
  const gus = await someone();
  const before = await world.books();
  const order = await pay.creditByCard(gus);
  const { api } = world.sandbox.card.faults;
  planFaults(api.next, ...Array.from({ length: 3 }, () => ({ fault: 'error_before_effect' as const, on: 'POST /v1/refunds' })));
  await pay.payOut(gus, { amountMinor: 2_000 });
  world.sandbox.card.bank.refund(await world.checkoutOf(order), { amount: 2_000 });
  await world.settle();
  world.sandbox.card.bank.refund(await world.checkoutOf(order), { amount: 500 });
  await world.settle();
  api.next.length = 0;
  world.clock.advance(6 * MINUTE);
  await world.platform.queue.runNow('accounts.sweep');
  await world.settle();
  expect(await pay.payOuts(gus)).toMatchObject([{ status: 'NOT_OWED' }]);
  expect(await pay.payable(gus)).toMatchObject({ amount: { amountMinor: 0 } });
  // What was refunded by hand beyond the pay-out is still the customer's credit too: it is a loss until somebody takes the credit back.
  expect(await booksSince(world, before)).toEqual({ CUSTOMER_CREDIT: -500, LOSSES: 500 });
});

test('more than one may give at once, and anything to oneself, needs a second person; it counts once', async () => {
  const cleo = await someone();
  await pay.creditByCard(cleo);
  expect(codeOf(await pay.tryPayOut(cleo, { amountMinor: 2_001 }))).toBe('second_person_needed');
  expect(await world.balance(cleo)).toBe(2_500);
  const id = await request(cleo.id, 2_500);
  expect(codeOf(await approve(id, desk))).toBe('action_not_allowed');
  const answers = await Promise.all([approve(id, ben), approve(id, ben)]);
  expect(answers.map(codeOf).sort()).toEqual(['action_not_allowed', undefined]);
  await world.settle();
  expect(await pay.payOuts(cleo)).toMatchObject([{ status: 'DONE', amount: { amountMinor: 2_500 } }]);

  await pay.creditByCard(ben);
  expect(codeOf(await pay.tryPayOut(ben, { amountMinor: 100 }, ben.viewer))).toBe('own_account_refused');
  const own = await request(ben.id, 100, undefined, ben);
  expect(codeOf(await approve(own, ben))).toBe('action_not_allowed');
  expect(codeOf(await approve(own, desk))).toBeUndefined();
});

test('what was spent before a second person agrees cannot be paid out any more', async () => {
  const dora = await someone();
  await pay.creditByCard(dora);
  const id = await request(dora.id, 2_500);
  await world.buy(dora);
  expect(codeOf(await approve(id, ben))).toBe('parameter_invalid');
  expect(await pay.payOuts(dora)).toEqual([]);
});

test('closing an account pays out what processors give back, and says what is left to staff and customer', async () => {
  const eva = await someone();
  const before = await world.books();
  await pay.creditByCard(eva);
  await pay.creditByTransfer(eva, 60_000);
  expect(await close(eva)).toBeUndefined();
  await world.settle();
  expect(await pay.payOuts(eva)).toMatchObject([{ status: 'DONE', destination: 'CARD', amount: { amountMinor: 2_500 } }]);
  expect(await booksSince(world, before)).toEqual({ BANK: 60_000, CUSTOMER_CREDIT: -60_000 });
  const subjects = (await world.mailed(eva.email)).map(({ subject }) => subject);
  expect(subjects).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/25\.00.* of credit is being paid out/),
      expect.stringMatching(/600\.00.* of credit was left/),
    ]),
  );
  const told = await world.mailed('support@egress.example');
  expect(told.filter(({ subject }) => /^A closed account has 600\.00.* that no processor gives back$/.test(subject))).toHaveLength(1);
  // The owner has given a bank account to pay to.
  const id = await request(eva.id, 60_000, 'DE02120300000000202051');
  expect(codeOf(await approve(id, ben))).toBeUndefined();
  const [byHand] = await pay.payOuts(eva);
  expect(dataOf(await pay.resolve(byHand?.id ?? '', 'SENT', 'our transfer'), 'supportRefundResolve')).toEqual({ status: 'DONE' });
  expect(await booksSince(world, before)).toEqual({});
});

test('credit that an unpaid order held goes back once that can no longer be paid', async () => {
  const gil = await someone();
  const order = await pay.creditByCard(gil);
  await world.place(gil, { lines: [{ label: 'Much', quantity: 1, amountMinor: 9_000 }], subtotalMinor: 9_000, totalMinor: 9_000 });
  expect(await world.balance(gil)).toBe(0);
  expect(await close(gil)).toBeUndefined();
  expect(await pay.payOuts(gil)).toEqual([]);
  await world.settle();
  expect(await pay.payOuts(gil)).toMatchObject([{ status: 'DONE', amount: { amountMinor: 2_500 } }]);
  expect(world.sandbox.card.refunds().at(-1)?.amount, order).toBe(2_500);
});

test('credit that comes after an account is closed goes back as well, and what comes back from there waits for a person', async () => {
  const fay = await someone();
  const { id } = await world.buy(fay);
  expect(await close(fay)).toBeUndefined();
  await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT', amountMinor: 1_500 });
  await world.settle();
  expect(await pay.payOuts(fay)).toMatchObject([{ status: 'DONE', amount: { amountMinor: 1_500 } }]);
  world.sandbox.card.bank.failRefund(world.sandbox.card.refunds().at(-1)?.id ?? '');
  await world.settle();
  expect(await pay.payOuts(fay)).toMatchObject([{ status: 'FAILED' }]);
});
