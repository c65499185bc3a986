import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { planFaults } from '../../../../kit/faults.ts';
import { codeOf, dataOf } from '../../world.ts';
import { startPayPalBilling } from './paypal-world.ts';

const { world, paypal, desk, someone, buy, look, captureOf, run } = await startPayPalBilling();
const refund = (orderId: string, amountMinor?: number) =>
  world.refund(desk.viewer, { orderId, destination: 'PAYPAL', ...(amountMinor !== undefined && { amountMinor }) });
const refundsAt = (orderId: string) => paypal.refunds().filter(({ captureId }) => captureId === captureOf(orderId).id);
const ofAll = async (id: string, person = ada) => {
  const { refunds } = await look(person, id);
  return refunds.map(({ status, amount }) => [status, amount.amountMinor]);
};
const ada = await someone();

test('a part, then the rest, goes back to the PayPal account, with a credit note each', async () => {
  const { id } = await buy(ada);
  expect(codeOf(await refund(id, 1_000))).toBeUndefined();
  await world.settle();
  expect(await ofAll(id)).toEqual([['DONE', 1_000]]);
  expect(captureOf(id).status).toBe('PARTIALLY_REFUNDED');
  world.clock.advance(DAY);
  expect(codeOf(await refund(id))).toBeUndefined();
  await world.settle();
  expect(await ofAll(id)).toEqual([
    ['DONE', 1_000],
    ['DONE', 1_500],
  ]);
  expect(captureOf(id).status).toBe('REFUNDED');
  expect(refundsAt(id).map(({ amount }) => amount.value)).toEqual(['10.00', '15.00']);
  expect((await look(ada, id)).status).toBe('REFUNDED');
});

test('a refund whose answer is lost is made once', async () => {
  const { id } = await buy(ada);
  planFaults(paypal.faults.api.next, { fault: 'lost_answer', on: 'POST /v2/payments/captures/' });
  await refund(id);
  await world.settle();
  world.clock.advance(DAY);
  await run('sweep');
  await world.settle();
  expect(refundsAt(id)).toHaveLength(1);
  expect(await ofAll(id)).toEqual([['DONE', 2_500]]);
});

test('what goes back by bank is pending for days, and done when it has arrived', async () => {
  const { id } = await buy(ada, { email: 'slow@paypal.test', funding: 'echeck' });
  paypal.settle(captureOf(id).id);
  await world.settle();
  await refund(id);
  await world.settle();
  expect(await ofAll(id)).toEqual([['PENDING', 2_500]]);
  paypal.settleRefund(refundsAt(id)[0]?.id ?? '');
  await world.settle();
  expect(await ofAll(id)).toEqual([['DONE', 2_500]]);
});

test('a refund that comes back waits for a person, and goes out again by their word', async () => {
  const { id } = await buy(ada);
  await refund(id);
  await world.settle();
  paypal.settleRefund(refundsAt(id)[0]?.id ?? '', 'FAILED');
  await world.settle();
  const [failed] = (await look(ada, id)).refunds;
  expect(failed?.status).toBe('FAILED');
  const RESOLVE = 'mutation ($id: ID!) { supportRefundResolve(id: $id, decision: AGAIN) { status } }';
  expect(codeOf(await world.ask(desk.viewer, RESOLVE, { id: failed?.id }))).toBeUndefined();
  await world.settle();
  expect(await ofAll(id)).toEqual([['DONE', 2_500]]);
  expect(refundsAt(id).map(({ status }) => status)).toEqual(['FAILED', 'COMPLETED']);
});

test('what is given back on PayPal’s own pages stands in the books, with its credit note', async () => {
  const { id } = await buy(ada);
  paypal.refundByHand(captureOf(id).id, '5.00');
  await world.settle();
  expect(await ofAll(id)).toEqual([['DONE', 500]]);
  expect((await look(ada, id)).invoices.map(({ kind, total }) => [kind, total.amountMinor])).toEqual([
    ['INVOICE', 2_500],
    ['CREDIT_NOTE', 500],
  ]);
});

test('what PayPal takes back no more after 180 days becomes account credit', async () => {
  const ben = await someone();
  const { id } = await buy(ben);
  world.clock.advance(181 * DAY);
  await refund(id);
  await world.settle();
  expect(await ofAll(id, ben)).toEqual([['CREDITED', 2_500]]);
  expect(await world.balance(ben)).toBe(2_500);
});

const DISPUTES =
  '{ open: supportDisputes(open: true) { id order { id } stage status reason } over: supportDisputes(open: false) { id order { id } status fee { amountMinor } } }';
interface Listed {
  id: string;
  order: { id: string };
}
async function disputeOf(orderId: string): Promise<Listed> {
  const { data } = await world.ask(desk.viewer, DISPUTES);
  const { open = [], over = [] } = (data ?? {}) as { open?: Listed[]; over?: Listed[] };
  const found = [...open, ...over].find(({ order }) => order.id === orderId);
  if (!found) throw new Error(`order ${orderId} is not disputed`);
  return found;
}

test('a case at PayPal is on the desk, is answered with a document, and is won with its money', async () => {
  const { id } = await buy(ada);
  const { dispute_id: theirs } = paypal.dispute(captureOf(id).id, { reason: 'UNAUTHORISED' });
  await world.settle();
  const dispute = await disputeOf(id);
  expect(dispute).toMatchObject({ stage: 'DISPUTE', status: 'NEEDS_RESPONSE', reason: 'FRAUD' });
  expect(await world.books(`${theirs}:0`)).toEqual({ DISPUTED: 2_500, PAYPAL: -2_500 });
  const SUBMIT = 'mutation ($id: ID!) { supportDisputeSubmit(id: $id, statement: "They used it.") { status } }';
  expect(dataOf(await world.ask(desk.viewer, SUBMIT, { id: dispute.id }), 'supportDisputeSubmit')).toEqual({ status: 'UNDER_REVIEW' });
  const [evidence] = paypal.disputes().find(({ dispute_id }) => dispute_id === theirs)?.evidences ?? [];
  expect(evidence).toMatchObject({ notes: expect.stringContaining('They used it.'), files: [expect.stringMatching(/\.pdf$/)] });
  paypal.resolve(theirs, 'RESOLVED_SELLER_FAVOUR');
  await world.settle();
  expect(await disputeOf(id)).toMatchObject({ status: 'WON', fee: { amountMinor: 0 } });
});

test('what a bank takes back is lost with its fee, and the sale undone', async () => {
  const { id } = await buy(ada);
  const { dispute_id: theirs } = paypal.dispute(captureOf(id).id, { channel: 'EXTERNAL' });
  await world.settle();
  paypal.resolve(theirs, 'RESOLVED_BUYER_FAVOUR');
  await world.settle();
  expect(await disputeOf(id)).toMatchObject({ status: 'LOST', fee: { amountMinor: 2_000 } });
  expect(await world.books(`${theirs}:1`)).toEqual({ FEES: 2_000, PAYPAL: -2_000 });
  expect((await look(ada, id)).invoices.map(({ kind }) => kind)).toEqual(['INVOICE', 'CREDIT_NOTE']);
});

test('an inquiry moves no money; one that becomes a case does, and can be given in to', async () => {
  const { id } = await buy(ada);
  const { dispute_id: theirs } = paypal.dispute(captureOf(id).id, { stage: 'INQUIRY' });
  await world.settle();
  expect(await disputeOf(id)).toMatchObject({ stage: 'INQUIRY', status: 'NEEDS_RESPONSE' });
  expect(await world.books(`${theirs}:0`)).toEqual({});
  paypal.escalate(theirs);
  await world.settle();
  const { id: ours } = await disputeOf(id);
  const given = await world.ask(desk.viewer, 'mutation ($id: ID!) { supportDisputeGiveIn(id: $id) { status } }', { id: ours });
  expect(dataOf(given, 'supportDisputeGiveIn')).toEqual({ status: 'LOST' });
});

test('refunds by hand and disputes whose every notice is lost are found within a day', async () => {
  const [given, taken] = [await buy(ada), await buy(ada)];
  const { webhooks } = paypal.faults;
  webhooks.drop = 1;
  paypal.refundByHand(captureOf(given.id).id);
  paypal.dispute(captureOf(taken.id).id);
  await world.settle();
  webhooks.drop = 0;
  expect((await look(ada, given.id)).status).not.toBe('REFUNDED');
  await run('processors-sweep');
  await world.settle();
  expect((await look(ada, given.id)).status).toBe('REFUNDED');
  const listed = await world.ask(desk.viewer, '{ supportDisputes(open: true) { order { id } } }');
  expect(dataOf<{ order: { id: string } }[]>(listed, 'supportDisputes').map(({ order }) => order.id)).toContain(taken.id);
});
