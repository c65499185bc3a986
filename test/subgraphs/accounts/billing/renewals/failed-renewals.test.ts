// What happens when a renewal cannot be charged.
import { expect, test } from 'vitest';
import { DAY, HOUR } from '#platform/clock.ts';
import { codeOf, dataOf } from '../../world.ts';
import { openRenewing, world, someone, FAILS_LATER, GOOD, customerOf } from './renewing.ts';

openRenewing();

test('a card that fails is tried on days 0, 1, 3 and 5 with a mail each, then suspended, warned and removed', async () => {
  const bob = await someone();
  const { id } = await world.subscribe(bob);
  const { card_id: card } = await world.row(id);
  world.sandbox.card.behave(card ?? '', FAILS_LATER);
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 1 });
  await world.pass(DAY);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 2 });
  await world.pass(2 * DAY - HOUR);
  expect(await world.row(id)).toMatchObject({ failures: 2 });
  await world.pass(2 * HOUR);
  expect(await world.row(id)).toMatchObject({ failures: 3 });
  await world.pass(2 * DAY);
  expect(await world.row(id)).toMatchObject({ status: 'UNPAID', failures: 4 });
  await world.pass(7 * DAY - 2 * HOUR);
  expect(await world.row(id)).toMatchObject({ status: 'UNPAID' });
  await world.pass(4 * HOUR);
  expect(await world.row(id)).toMatchObject({ status: 'CANCELED', end_reason: 'UNPAID' });
  expect(await world.facts(id)).toEqual(['started', 'past_due', 'suspended', 'ended']);
  expect((await world.subjects(bob)).map((subject) => subject.replace(/\d{4}-\d\d-\d\d/, 'DAY')).toSorted()).toEqual(
    [
      'Paid: VPS Plank',
      ...Array<string>(3).fill('Your payment for VPS Plank failed'),
      'Suspended: VPS Plank',
      'Will be removed on DAY: VPS Plank',
      'Ended: VPS Plank',
    ].toSorted(),
  );
  expect(await world.orders(id)).toMatchObject([{ kind: 'PURCHASE' }, { kind: 'RENEWAL', status: 'CANCELLED' }]);
  expect(world.sandbox.card.subscriptions().find(({ metadata }) => metadata['subscription_id'] === id)?.status).toBe('canceled');
  expect(world.sandbox.card.invoices().filter(({ status }) => status === 'open')).toEqual([]);
});

test('who pays within the grace period is resumed with the period that was owed', async () => {
  const cleo = await someone();
  const { id } = await world.subscribe(cleo);
  const before = await world.row(id);
  world.sandbox.card.behave(before.card_id ?? '', FAILS_LATER);
  await world.toPeriodEnd(id);
  await world.pass(9 * DAY);
  expect(await world.row(id)).toMatchObject({ status: 'UNPAID' });
  const PAY = `mutation ($key: String!) { subscriptionPayNow(id: "${id}", idempotencyKey: $key) { status upcomingRenewal { at } } }`;
  expect(codeOf(await world.ask(cleo.viewer, PAY, { key: world.newKey() }))).toBe('payment_refused');
  world.sandbox.card.behave(before.card_id ?? '', GOOD);
  const key = world.newKey();
  const [one, two] = [await world.ask(cleo.viewer, PAY, { key }), await world.ask(cleo.viewer, PAY, { key })];
  expect(dataOf(one, 'subscriptionPayNow')).toMatchObject({ status: 'ACTIVE' });
  expect(two).toEqual(one);
  const after = await world.row(id);
  expect(after).toMatchObject({ status: 'ACTIVE', failures: 0, current_period_start: before.current_period_end });
  expect(await world.facts(id)).toEqual(['started', 'past_due', 'suspended', 'renewed', 'resumed']);
  const paid = world.sandbox.card.charges().filter(({ customer, paid: taken }) => taken && customer === customerOf(id));
  expect(paid).toHaveLength(2);
  await world.toPeriodEnd(id);
  expect(await world.facts(id)).toEqual(['started', 'past_due', 'suspended', 'renewed', 'resumed', 'renewed']);
});

test('a bank that wants a confirmation counts as a failure, and the confirmation on the page of the processor renews', async () => {
  const dora = await someone();
  const { id } = await world.subscribe(dora, { card: '4000002760003184' });
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'PAST_DUE', failures: 1 });
  const [, renewal] = await world.orders(id);
  expect(renewal?.checkout_url).toContain('/i/in_');
  const invoice = world.sandbox.card.invoices().find(({ metadata }) => metadata?.['order_id'] === renewal?.id);
  const [intent] = world.sandbox.card
    .events()
    .filter(({ type }) => type === 'payment_intent.requires_action')
    .map(({ data }) => (data.object as { id: string }).id)
    .slice(-1);
  world.sandbox.card.authenticate(intent ?? '', true);
  await world.rest();
  expect(invoice?.status).toBe('paid');
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', failures: 0 });
});
