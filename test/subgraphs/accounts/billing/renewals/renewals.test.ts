// Renewals by card, credit and transfer.
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { syncSubscription } from '../../../../../subgraphs/accounts/billing/renewals/services/sync-subscription.ts';
import { codeOf, dataOf } from '../../world.ts';
import { LINE } from '../subscriptions/subscription-world.ts';
import { chargesOf as recurringCharges } from '../../../../../subgraphs/accounts/billing/payments/providers/payment-methods.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import { setRows } from '../../../../kit/tables.ts';
import { openRenewing, world, someone, chargesOf, customerOf, CANCEL, KEEP } from './renewing.ts';
import { setFaults } from '../../../../kit/faults.ts';

openRenewing();

test('a card renews at the end of its period, by the invoice of the processor, to the cent, with journal, invoice and mail', async () => {
  const ada = await someone();
  const { id } = await world.subscribe(ada);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', version: 1, processor_id: expect.stringMatching(/^sub_/) });
  await world.toPeriodEnd(id);
  const renewed = await world.row(id);
  expect(renewed).toMatchObject({ status: 'ACTIVE', failures: 0, renewal_order_id: null });
  expect(renewed.current_period_end.toISOString()).toBe('2026-03-15T12:00:00.000Z');
  const [, renewal] = await world.orders(id);
  expect(renewal).toMatchObject({ kind: 'RENEWAL', status: 'FULFILLED', total_minor: '1699' });
  expect(await world.books(renewal?.id ?? '')).toEqual({ PROCESSOR: 1_699, REVENUE: -1_699 });
  expect(world.sandbox.card.charges().filter(({ paid }) => paid)).toHaveLength(2);
  const order = dataOf<{ invoices: object[]; payments: object[] }>(
    await world.ask(
      ada.viewer,
      `{ order(id: "${renewal?.id}") { invoices { periodStart periodEnd total { amountMinor } due { amountMinor } } payments { amount { amountMinor } } } }`,
    ),
    'order',
  );
  expect(order).toMatchObject({
    invoices: [
      {
        periodStart: '2026-02-15T12:00:00.000Z',
        periodEnd: '2026-03-15T12:00:00.000Z',
        total: { amountMinor: 1_699 },
        due: { amountMinor: 0 },
      },
    ],
    payments: [{ amount: { amountMinor: 1_699 } }],
  });
  expect(await world.facts(id)).toEqual(['started', 'renewed']);
  expect(await world.subjects(ada)).toEqual(['Paid: VPS Plank', 'Paid: VPS Plank']);
});

test('one that has ended at the processor is made anew there for the period that follows, and making it charges nothing', async () => {
  const eve = await someone();
  const { id } = await world.subscribe(eve);
  const { processor_id: first, current_period_end: end } = await world.row(id);
  const cards = recurringCharges(world.context().providers, 'CARD');
  const paid = () => chargesOf(id).filter((charge) => charge.paid).length;
  await cards.end(first ?? '');
  const before = paid();
  world.clock.set(end);
  await setRows(world.query, 'accounts.billing_subscription', { synced_version: null }, { id });
  await syncSubscription(world.context(), id);
  expect([(await world.row(id)).processor_id, paid() - before]).toEqual([null, 0]);
  await world.toPeriodEnd(id);
  const renewed = await world.row(id);
  expect([renewed.status, paid() - before]).toEqual(['ACTIVE', 1]);
  expect(renewed.processor_id).toMatch(/^sub_/);
  expect(renewed.processor_id).not.toBe(first);
  await world.toPeriodEnd(id);
  expect([(await world.row(id)).status, paid() - before]).toEqual(['ACTIVE', 2]);
});

test('one whose request reaches the processor when its next period has begun charges nothing and leaves nothing to pay', async () => {
  const finn = await someone();
  const { id } = await world.subscribe(finn);
  const { card_id: cardId } = await world.row(id);
  const cards = recurringCharges(world.context().providers, 'CARD');
  const charges = world.sandbox.card.charges().length;
  const terms = { title: 'VPS Plank', currency: 'USD', months: 1, lines: [LINE], cancelAtPeriodEnd: false, inTime: true };
  const late = {
    id: 'sub_late',
    processorId: null,
    customerId: String(customerOf(id)),
    meansId: cardId ?? '',
    periodEnd: world.clock.now(),
    anchorAt: world.clock.now(),
    isSettled: true,
  };
  expect(await cards.upsert({ ...terms, ...late })).toBeNull();
  const made = world.sandbox.card.subscriptions().filter(({ metadata }) => metadata['subscription_id'] === 'sub_late');
  expect(made.map(({ status }) => status)).toEqual(['canceled']);
  const invoices = world.sandbox.card.invoices().filter((invoice) => invoice.parent?.subscription_details?.subscription === made[0]?.id);
  expect([invoices.map(({ status }) => status), world.sandbox.card.charges().length]).toEqual([['void'], charges]);
});

test('account credit pays first, and alone when there is enough', async () => {
  const [eve, desk] = [await someone(), await world.account('desk@example.com', 'STAFF')];
  const { id } = await world.subscribe(eve);
  await world.grant(eve.id, 1_000, desk.viewer);
  await world.toPeriodEnd(id);
  expect((await world.orders(id))[1]).toMatchObject({ status: 'FULFILLED', credit_minor: '1000', total_minor: '699' });
  expect(chargesOf(id).at(-1)).toMatchObject({ amount: 699, paid: true });
  await world.grant(eve.id, 5_000, desk.viewer);
  const before = chargesOf(id).length;
  await world.toPeriodEnd(id);
  expect((await world.orders(id))[2]).toMatchObject({ status: 'FULFILLED', credit_minor: '1699', total_minor: '0' });
  expect(chargesOf(id)).toHaveLength(before);
  expect(world.sandbox.card.invoices().filter(({ customer, status }) => customer === customerOf(id) && status === 'draft')).toEqual([]);
  expect(await world.balance(eve)).toBe(3_301);
});

test('another country is another tax from the next renewal on', async () => {
  const finn = await someone();
  const { id } = await world.subscribe(finn);
  await world.ask(finn.viewer, 'mutation { billingDetailsSet(input: { name: "Finn", address: ["1 Street"], country: "DE" }) { country } }');
  await world.rest();
  const me = dataOf<{ upcomingRenewals: object[] }>(
    await world.ask(finn.viewer, '{ me { upcomingRenewals { at subtotal { amountMinor } tax { amountMinor } total { amountMinor } } } }'),
    'me',
  );
  expect(me.upcomingRenewals).toMatchObject([
    { subtotal: { amountMinor: 1_699 }, tax: { amountMinor: 323 }, total: { amountMinor: 2_022 } },
  ]);
  await world.toPeriodEnd(id);
  expect((await world.orders(id))[1]).toMatchObject({ status: 'FULFILLED', total_minor: '2022' });
  const invoice = world.sandbox.card.invoices().findLast(({ billing_reason: why }) => why === 'subscription_cycle');
  expect(invoice?.lines.data.map(({ amount }) => amount)).toEqual([1_699, 323]);
});

test('a subscription by transfer is asked for seven days before, reminded of, and renewed by the transfer', async () => {
  const [ida, desk] = [await someone(), await world.account('desk2@example.com', 'STAFF')];
  const lines = [{ label: 'Dedicated', quantity: 1, amountMinor: 120_000 }];
  const sub = world.newSubscription();
  const PLACE = placeOrder('id', 'BANK_TRANSFER');
  const { id: first } = dataOf<{ id: string }>(
    await world.ask(ida.viewer, PLACE, { offer: world.offer(ida.id, world.termsOf({ id: sub, lines })), key: world.newKey() }),
    'orderPlace',
  );
  const confirm = (orderId: string, bankReference: string) =>
    world.ask(desk.viewer, 'mutation ($input: SupportTransferConfirmInput!) { supportTransferConfirm(input: $input) { status } }', {
      input: { orderId, amountMinor: 120_000, bankReference, idempotencyKey: world.newKey() },
    });
  await confirm(first, 'wire 1');
  await world.rest();
  await world.pass(24 * DAY + HOUR, DAY);
  const [, renewal] = await world.orders(sub);
  expect(renewal).toMatchObject({ kind: 'RENEWAL', status: 'PENDING', total_minor: '120000' });
  await world.pass(5 * DAY, DAY);
  expect(
    (await world.subjects(ida)).filter((subject) => /^To be paid until [-\d]+: VPS Plank$/.test(subject)).length,
  ).toBeGreaterThanOrEqual(2);
  // The cancellation withdraws the renewal's order; taking the cancellation back places a new one.
  await world.ask(ida.viewer, CANCEL(sub));
  await world.ask(ida.viewer, KEEP(sub));
  await world.rest();
  expect((await world.orders(sub)).map(({ status }) => status).toSorted()).toEqual(['CANCELLED', 'PAID', 'PENDING']);
  const again = (await world.orders(sub)).find(({ status }) => status === 'PENDING');
  await confirm(again?.id ?? '', 'wire 2');
  await world.rest();
  expect(await world.row(sub)).toMatchObject({ status: 'ACTIVE', renewal_order_id: null });
  expect((await world.row(sub)).current_period_end.getTime() - world.clock.now().getTime()).toBeGreaterThan(28 * DAY);
});

test('a saved card is added, becomes the default, pays instead of the old one, and can be removed once nothing renews by it', async () => {
  const jo = await someone();
  const { id } = await world.subscribe(jo);
  const { url } = dataOf<{ url: string }>(await world.ask(jo.viewer, 'mutation { cardAdd { url } }'), 'cardAdd');
  world.sandbox.card.payCheckout(new URL(url).pathname.split('/').at(-1) ?? '', '5555555555554444');
  await world.rest();
  const CARDS = '{ me { savedCards { id brand lastFour isDefault } } }';
  const { savedCards } = dataOf<{ savedCards: { id: string; brand: string; isDefault: boolean }[] }>(
    await world.ask(jo.viewer, CARDS),
    'me',
  );
  expect(savedCards.map(({ brand, isDefault }) => [brand, isDefault])).toEqual([
    ['visa', true],
    ['mastercard', false],
  ]);
  const [visa, master] = savedCards.map((card) => card.id);
  expect(codeOf(await world.ask(jo.viewer, `mutation { cardRemove(id: "${visa}") { id } }`))).toBe('action_not_allowed');
  expect(codeOf(await world.ask(jo.viewer, `mutation { subscriptionSetCard(id: "${id}", cardId: "pm_nobodys") { id } }`))).toBe(
    'card_not_found',
  );
  expect(
    dataOf(
      await world.ask(jo.viewer, `mutation { subscriptionSetCard(id: "${id}", cardId: "${master}") { card { brand } } }`),
      'subscriptionSetCard',
    ),
  ).toEqual({ card: { brand: 'mastercard' } });
  await world.rest();
  await world.toPeriodEnd(id);
  expect(chargesOf(id).at(-1)).toMatchObject({ payment_method: master, paid: true });
  expect(dataOf(await world.ask(jo.viewer, `mutation { cardRemove(id: "${visa}") { brand } }`), 'cardRemove')).toEqual([
    { brand: 'mastercard' },
  ]);
});

test('a renewal whose every notice is lost, while the processor answers with trouble, is found and charged once', async () => {
  const kim = await someone();
  const { id } = await world.subscribe(kim);
  const { webhooks, api } = world.sandbox.card.faults;
  const undo = [
    setFaults(webhooks, { drop: 1 }),
    setFaults(api, { ratios: { error_before_effect: 0.2, error_after_effect: 0.2, lost_answer: 0.1 } }),
  ];
  await world.toPeriodEnd(id);
  for (const each of undo) each();
  await world.pass(2 * HOUR, 5 * MINUTE);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', failures: 0 });
  expect((await world.orders(id)).map(({ status }) => status)).toEqual(['PAID', 'FULFILLED']);
  expect(world.sandbox.card.charges().filter(({ customer, paid }) => paid && customer === customerOf(id))).toHaveLength(2);
});
