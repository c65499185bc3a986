// No card is charged for a renewal without a mail before.
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { withDesk } from '../with-desk.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';

const { world } = await withDesk(startSubscriptions());
let people = 0;
const someone = () => world.account(`noticed${++people}@example.com`);
const notices = async (email: string) => (await world.mailed(email)).filter(({ subject }) => /^Renews on|expires before/.test(subject));

test('a month is told of seven days before, once, with the amount, the card and the day', async () => {
  const ada = await someone();
  const { id } = await world.subscribe(ada);
  const { current_period_end: end } = await world.row(id);
  world.clock.set(new Date(end.getTime() - 8 * DAY));
  await world.rest();
  expect(await notices(ada.email)).toEqual([]);
  await world.pass(3 * DAY, DAY);
  const [notice, ...others] = await notices(ada.email);
  expect(others).toEqual([]);
  expect(notice?.subject).toBe(`Renews on ${end.toISOString().slice(0, 10)}: VPS Plank`);
  expect(notice?.text).toContain('16.99 USD will be charged to your card ending in 4242');
  await world.toPeriodEnd(id);
  await world.pass(25 * DAY, 5 * DAY);
  expect(await notices(ada.email)).toHaveLength(2);
});

test('six months are told of thirty days before', async () => {
  const ben = await someone();
  const { id } = await world.subscribe(ben, { months: 6 });
  const { current_period_end: end } = await world.row(id);
  world.clock.set(new Date(end.getTime() - 31 * DAY));
  await world.rest();
  expect(await notices(ben.email)).toEqual([]);
  await world.pass(2 * DAY, DAY);
  expect(await notices(ben.email)).toHaveLength(1);
});

test('what is cancelled, and what its owner pays by hand, is not told of so', async () => {
  const cleo = await someone();
  const { id } = await world.subscribe(cleo);
  await world.ask(cleo.viewer, `mutation { subscriptionCancel(id: "${id}") { id } }`);
  await world.pass(27 * DAY, 9 * DAY);
  expect(await notices(cleo.email)).toEqual([]);
});

test('a card that will have expired by then is named with its date', async () => {
  const dora = await someone();
  const { id } = await world.subscribe(dora);
  const { current_period_end: end, card_id: card } = await world.row(id);
  world.sandbox.card.expire(card ?? '', end);
  world.clock.set(new Date(end.getTime() - 6 * DAY));
  await world.rest();
  const [notice] = await notices(dora.email);
  expect(notice?.subject).toBe('Your card expires before VPS Plank renews');
  expect(notice?.text).toMatch(/ending in 4242 expires in \d\d\/\d{4}, before that day/);
});
