// A subscription renews on the day of the month of its purchase, here and at the card processor, also after shorter months.
import { expect, test } from 'vitest';
import { periodEndAfter } from '../../../../../subgraphs/accounts/billing/subscriptions/domain/subscription.ts';
import { jobRows } from '../../../../kit/job-rows.ts';
import { openRenewing, someone, world } from '../renewals/renewing.ts';

openRenewing();

const day = (at: Date) => at.toISOString().slice(0, 10);
const atProcessor = (id: string) =>
  world.sandbox.card
    .subscriptions()
    .filter(({ metadata, status }) => metadata['subscription_id'] === id && status !== 'canceled')
    .map(({ items }) => day(new Date((items.data[0]?.current_period_end ?? 0) * 1_000)));

test('bought on 31 January, twelve months end on 31 January, and the processor counts the same days', { timeout: 60_000 }, async () => {
  world.clock.set(new Date('2027-01-31T09:30:15Z'));
  const ada = await someone();
  const { id } = await world.subscribe(ada);
  const ends = [day((await world.row(id)).current_period_end)];
  expect(atProcessor(id)).toEqual(ends);
  for (let month = 1; month < 12; month++) {
    await world.toPeriodEnd(id);
    const end = day((await world.row(id)).current_period_end);
    ends.push(end);
    expect(atProcessor(id)).toEqual([end]);
  }
  expect(ends).toEqual([
    ...['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30', '2027-07-31'],
    ...['2027-08-31', '2027-09-30', '2027-10-31', '2027-11-30', '2027-12-31', '2028-01-31'],
  ]);
  const charges = world.sandbox.card.invoices().filter(({ metadata, status }) => metadata?.['order_id'] && status === 'paid');
  expect(charges.every(({ billing_reason: why }) => why === 'subscription_cycle')).toBe(true);
});

test('of three months bought on 30 November the second ends on 30 May', async () => {
  world.clock.set(new Date('2028-11-30T12:00:00Z'));
  const ben = await someone();
  const { id } = await world.subscribe(ben, { months: 3 });
  expect(day((await world.row(id)).current_period_end)).toBe('2029-02-28');
  await world.toPeriodEnd(id);
  expect(day((await world.row(id)).current_period_end)).toBe('2029-05-30');
  expect(atProcessor(id)).toEqual(['2029-05-30']);
});

test('one whose day was lost before is given it back at its next renewal, at the processor too', async () => {
  world.clock.set(new Date('2030-01-31T12:00:00Z'));
  const cleo = await someone();
  const { id } = await world.subscribe(cleo);
  // As the release before left it at the processor: anchored at the end of the first period.
  const [known] = world.sandbox.card.subscriptions().filter(({ metadata }) => metadata['subscription_id'] === id);
  if (known) known.billing_cycle_anchor_config = null;
  await world.ask(cleo.viewer, 'mutation { billingDetailsSet(input: { name: "Cleo", address: ["1 Street"], country: "US" }) { country } }');
  await world.rest();
  const live = world.sandbox.card
    .subscriptions()
    .filter(({ metadata, status }) => metadata['subscription_id'] === id && status === 'active');
  expect(live.map(({ billing_cycle_anchor_config: config }) => config?.day_of_month)).toEqual([31]);
  await world.toPeriodEnd(id);
  expect(day((await world.row(id)).current_period_end)).toBe('2030-03-31');
});

test.each([
  ['2027-02-28', '2027-03-31'],
  ['2027-05-28', '2027-06-30'],
  ['2027-03-31', '2027-04-30'],
  ['2027-06-30', '2027-07-31'],
])('counted from the 31st, a period from %s ends on %s', (start, end) => {
  expect(day(periodEndAfter(new Date('2027-01-31T00:00:00Z'), new Date(`${start}T00:00:00Z`), 1))).toBe(end);
});

test('one that the processor could not count from now on is charged all the same, and counted there from its next period on', async () => {
  world.clock.set(new Date('2031-01-31T12:00:00Z'));
  const dan = await someone();
  const { id } = await world.subscribe(dan);
  await world.toPeriodEnd(id);
  expect(day((await world.row(id)).current_period_end)).toBe('2031-03-31');
  // Somebody cancels it at the processor by hand. From 28 February, 31 March is further away than a month: "later than the next natural billing date".
  for (const known of world.sandbox.card.subscriptions()) if (known.metadata['subscription_id'] === id) known.status = 'canceled';
  await world.ask(dan.viewer, 'mutation { billingDetailsSet(input: { name: "Dan", address: ["1 Street"], country: "US" }) { country } }');
  await world.rest();
  expect(atProcessor(id)).toEqual([]);
  expect(await jobRows(world.query).unfinished('accounts.subscription-sync')).toEqual([]);
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE', current_period_end: new Date('2031-04-30T12:00:00Z') });
  expect(atProcessor(id)).toEqual(['2031-04-30']);
});
