// A new payment method needs only a row and a processor: this one exists in this file alone, and its orders are placed, paid by webhook, refunded and
// disputed as with any other.
import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HOUR } from '#platform/clock.ts';
import type { fail as failing } from '#platform/errors.ts';
import type { MethodDefinition } from '../../../../../subgraphs/accounts/billing/payments/providers/method-definition.ts';
import {
  type PaymentRequest,
  type PaymentState,
  type PaymentStatus,
  withoutProcessor,
} from '../../../../../subgraphs/accounts/billing/payments/providers/payment-processor.ts';
import type { BillingWorld, Person } from '../world.ts';
import { invoiceRows } from '../../../../kit/invoice-rows.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import { dropCheck } from '../../../../kit/table-faults.ts';

/** The state of the pretended processor: checkouts by id, and the refunds that it was asked for. */
const checkouts = new Map<string, PaymentState>();
const givenBack: { refundId: string; paymentId: string; amountMinor: number }[] = [];

const begin = async ({ orderId, amountMinor, currency }: PaymentRequest) => {
  const id = `pretended_${orderId}`;
  const state = { id, orderId, amountMinor, currency, status: 'pending' as const, paymentId: `money_${orderId}` };
  if (!checkouts.has(id)) checkouts.set(id, { ...state, meansId: undefined, arrived: undefined });
  return { id, url: `http://pretended.example/${id}` };
};
const found = (id: string): PaymentState => checkouts.get(id) ?? expect.fail(`no checkout ${id}`);

const pretended = {
  name: 'PRETENDED',
  processor: 'pretended',
  label: 'pretended money',
  ledger: 'PROCESSOR',
  opens: 'PAGE',
  validMs: HOUR,
  renewal: 'ASKED',
  refunds: 'SENT',
  holdsAs: 'CARD',
  unpaidMax: { account: 3, address: 30 },
  signatureHeaders: ['pretended-signature'],
  whyNot: ({ totalMinor }: { totalMinor: number }) => (totalMinor > 100_000 ? fail('payment_refused', { field: 'method' }) : undefined),
  whyNotRest: () => undefined,
  unavailable: () => fail('vendor_unavailable'),
  create: () => ({
    ...withoutProcessor('pretended money'),
    begin,
    lookUp: async (id: string) => found(id),
    close: async (id: string) => void (found(id).status === 'pending' && checkouts.set(id, { ...found(id), status: 'failed' })),
    async refund(asked: { refundId: string; paymentId: string; amountMinor: number }) {
      givenBack.push(asked);
      return { id: `back_${asked.refundId}`, status: 'sent' as const };
    },
    readNotice(body: string, signature: string) {
      if (signature !== 'signed') throw fail('signature_invalid');
      const { id, checkout } = JSON.parse(body) as { id: string; checkout: string };
      return { id, type: 'checkout.changed', objectId: checkout };
    },
    lookAt: async ({ objectId }: { objectId: string }) => ({ about: 'payment' as const, state: found(objectId) }),
  }),
};

let fail: typeof failing;
let world: BillingWorld;
let desk: Person;
let notices = 0;
beforeAll(async () => {
  // The method must be registered before the graph is built, as the folder of a real one is: so all modules are imported again.
  vi.resetModules();
  ({ fail } = await import('#platform/errors.ts'));
  const { PAYMENT_METHODS } = await import('../../../../../subgraphs/accounts/billing/payments/providers/payment-methods.ts');
  (PAYMENT_METHODS as Record<string, unknown>)['PRETENDED'] = pretended as unknown as MethodDefinition;
  const { startBilling } = await import('../world.ts');
  world = await startBilling();
  // Stands for the method's migration, as the database lists the methods too.
  await dropCheck(world.query, 'accounts.customer_order', 'customer_order_method');
  await dropCheck(world.query, 'accounts.invoice_settlement', 'invoice_settlement_method_check');
  await dropCheck(world.query, 'accounts.refund', 'refund_destination_check');
  desk = await world.account('desk@example.com', 'STAFF');
});
afterAll(async () => {
  await world.close();
  vi.resetModules();
});

const ORDER = '{ orders { id status method checkoutUrl payments { method amount { amountMinor } } refunds { status destination } } }';
const data = async <Data>(viewer: Person['viewer'], query: string, variables: Record<string, unknown> = {}): Promise<Data> => {
  const { data: answer, errors } = await world.ask(viewer, query, variables);
  expect(errors).toBeUndefined();
  return answer as Data;
};
const orderOf = async ({ viewer }: Person) => (await data<{ me: { orders: object[] } }>(viewer, `{ me ${ORDER} }`)).me.orders[0];

async function place(person: Person): Promise<string> {
  const { orderPlace } = await data<{ orderPlace: { id: string; status: string; checkoutUrl: string } }>(
    person.viewer,
    placeOrder('id status checkoutUrl', 'PRETENDED'),
    { offer: world.offer(person.id), key: world.newKey() },
  );
  expect(orderPlace).toMatchObject({ status: 'PENDING', checkoutUrl: `http://pretended.example/pretended_${orderPlace.id}` });
  return orderPlace.id;
}

/** Changes the processor's state of an order, and sends its webhook to the door. Returns the HTTP status. */
async function tell(orderId: string, status: PaymentStatus, signature = 'signed'): Promise<number> {
  const checkout = `pretended_${orderId}`;
  checkouts.set(checkout, { ...found(checkout), status });
  const body = JSON.stringify({ id: `notice_${++notices}`, checkout });
  const headers = { 'pretended-signature': signature, 'content-type': 'application/json' };
  const response = await fetch(`${world.url}/webhooks/pretended`, { method: 'POST', headers, body });
  await world.settle();
  return response.status;
}

test('it is offered with the others, and bounded by its own limit', async () => {
  const ada = await world.account('ada@example.com');
  const methods = async (totalMinor: number) =>
    data<{ orderPreview: { methods: { method: string; allowed: boolean }[] } }>(
      ada.viewer,
      'query ($offer: String!) { orderPreview(offer: $offer) { methods { method allowed } } }',
      { offer: world.offer(ada.id, { totalMinor, subtotalMinor: totalMinor }) },
    ).then(({ orderPreview }) => orderPreview.methods.find(({ method }) => method === 'PRETENDED'));
  expect(await methods(2_500)).toEqual({ method: 'PRETENDED', allowed: true });
  expect(await methods(100_001)).toEqual({ method: 'PRETENDED', allowed: false });
});

test('an order by it is paid by a true notice only, once, with the same postings as any other', async () => {
  const ben = await world.account('ben@example.com');
  const id = await place(ben);
  expect(await tell(id, 'paid', 'forged')).toBe(400);
  expect(await orderOf(ben)).toMatchObject({ status: 'PENDING' });
  for (const status of ['partial', 'confirming'] as const) {
    expect(await tell(id, status)).toBe(200);
    expect(await orderOf(ben)).toMatchObject({ status: 'PENDING', payments: [] });
  }
  for (let count = 0; count < 2; count++) expect(await tell(id, 'paid')).toBe(200);
  expect(await orderOf(ben)).toMatchObject({ status: 'PAID', payments: [{ method: 'PRETENDED', amount: { amountMinor: 2_500 } }] });
  expect(await world.books(id)).toEqual({ PROCESSOR: 2_500, REVENUE: -2_500 });
});

test('an order by it that nobody pays is closed when its time is over', async () => {
  const cleo = await world.account('cleo@example.com');
  const id = await place(cleo);
  world.clock.advance(HOUR + 1);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  await world.settle();
  expect([await orderOf(cleo), found(`pretended_${id}`).status]).toMatchObject([{ status: 'EXPIRED' }, 'failed']);
});

test('its money goes back the way it came', async () => {
  const dan = await world.account('dan@example.com');
  const id = await place(dan);
  await tell(id, 'paid');
  await data(desk.viewer, 'mutation ($input: SupportOrderRefundInput!) { supportOrderRefund(input: $input) { id } }', {
    input: { orderId: id, destination: 'PRETENDED', amountMinor: 2_500, reason: 'It did not work', idempotencyKey: world.newKey() },
  });
  await world.settle();
  expect(givenBack).toMatchObject([{ paymentId: `money_${id}`, amountMinor: 2_500 }]);
  expect(await orderOf(dan)).toMatchObject({ status: 'REFUNDED', refunds: [{ status: 'DONE', destination: 'PRETENDED' }] });
  const [note] = await invoiceRows(world.query).settlementsOf(id, 'CREDIT_NOTE');
  expect(note?.method).toBe('PRETENDED');
});

test.each(['disputed', 'failed'] as const)(
  'a payment that is %s after it was paid is left as it is, for a person to look at',
  async (status) => {
    const eve = await world.account(`eve-${status}@example.com`);
    const id = await place(eve);
    await tell(id, 'paid');
    expect(await tell(id, status)).toBe(200);
    expect(await orderOf(eve)).toMatchObject({ status: 'PAID', payments: [{ method: 'PRETENDED' }] });
    expect(await world.books(id)).toEqual({ PROCESSOR: 2_500, REVENUE: -2_500 });
  },
);

test('what a method touches in the server: its folder, its name, its line of the table', () => {
  const server = ['subgraphs', 'gateway', 'rest-adapter', 'edge'].flatMap((room) => globSync(`${room}/**/*.ts`));
  const naming = server.filter((path) => /\bBANK_TRANSFER\b/.test(readFileSync(path, 'utf8'))).sort();
  expect(naming).toEqual([
    'subgraphs/accounts/billing/payments/domain/payment-method.ts',
    'subgraphs/accounts/billing/payments/providers/bank-transfer/bank-transfer.ts',
    'subgraphs/accounts/billing/payments/providers/payment-methods.ts',
  ]);
});
