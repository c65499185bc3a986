// A charge that the bank declined for good is not retried, as card networks fine merchants who do. The codes are from the processor's own list.
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { codeOf, dataOf } from '../../world.ts';
import { withDesk } from '../with-desk.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';

const { world, desk } = await withDesk(startSubscriptions());
let people = 0;

/** A subscriber whose card is the test card `number` from the first renewal on. */
async function withCard(number: string) {
  const person = await world.account(`declined${++people}@example.com`);
  const { id } = await world.subscribe(person);
  const card = (await world.row(id)).card_id ?? '';
  world.sandbox.card.behave(card, number);
  const { customer } = world.sandbox.card.subscriptions().find(({ metadata }) => metadata['subscription_id'] === id) ?? {};
  const refusals = () => world.sandbox.card.charges().filter((charge) => charge.customer === customer && !charge.paid).length;
  await world.toPeriodEnd(id);
  return { person, id, card, refusals };
}
const ATTEMPTS = 'query ($id: ID!) { order(id: $id) { attempts { reason final attended declineCode adviceCode } } }';
const DESK = 'query ($id: ID!) { supportOrder(id: $id) { attempts { final declineCode adviceCode } } }';

test.each([
  ['stolen', '4000000000009979', 'stolen_card'],
  ['lost', '4000000000009987', 'lost_card'],
  ['expired', '4000000000000069', 'expired_card'],
])('a %s card is tried once, and its owner is asked for another one until it is suspended', async (_, number, declineCode) => {
  const { person, id, refusals } = await withCard(number);
  expect(refusals()).toBe(1);
  await world.pass(6 * DAY);
  expect(refusals()).toBe(1);
  expect(await world.row(id)).toMatchObject({ status: 'UNPAID', failures: 4 });
  const mails = await world.mailed(person.email);
  const asked = mails.filter(({ subject }) => subject === 'Another card is needed for VPS Plank');
  expect(asked).toHaveLength(3);
  expect(asked[0]?.text).toContain('We do not try this card again.');
  expect(asked.map(({ text }) => text).join()).not.toMatch(/stolen|lost/);
  const renewal = (await world.orders(id)).at(-1)?.id;
  const { attempts } = dataOf<{ attempts: object[] }>(await world.ask(person.viewer, ATTEMPTS, { id: renewal }), 'order');
  expect(attempts).toMatchObject([{ final: true, attended: false, declineCode: null, adviceCode: null }]);
  const seen = dataOf<{ attempts: object[] }>(await world.ask(desk.viewer, DESK, { id: renewal }), 'supportOrder');
  expect(seen.attempts).toEqual([{ final: true, declineCode, adviceCode: 'do_not_try_again' }]);
});

test('a card without funds is tried on every day, and the mail says what would help', async () => {
  const { person, refusals } = await withCard('4000000000009995');
  await world.pass(6 * DAY);
  expect(refusals()).toBe(4);
  const [mail] = (await world.mailed(person.email)).filter(({ subject }) => subject === 'Your payment for VPS Plank failed');
  expect(mail?.text).toContain('make sure that the card covers the amount');
});

test('the owner may try it while there, which support sees; a success clears it', async () => {
  const { person, id, card, refusals } = await withCard('4000000000009979');
  const PAY = `mutation ($key: String!) { subscriptionPayNow(id: "${id}", idempotencyKey: $key) { status } }`;
  expect(codeOf(await world.ask(person.viewer, PAY, { key: world.newKey() }))).toBe('payment_refused');
  expect(refusals()).toBe(2);
  world.sandbox.card.behave(card, '4242424242424242');
  dataOf(await world.ask(person.viewer, PAY, { key: world.newKey() }), 'subscriptionPayNow');
  const [renewal] = (await world.orders(id)).slice(-1);
  const seen = dataOf<{ attempts: object[] }>(await world.ask(desk.viewer, DESK, { id: renewal?.id }), 'supportOrder');
  expect(seen.attempts).toHaveLength(2);
  await world.toPeriodEnd(id);
  expect(await world.row(id)).toMatchObject({ status: 'ACTIVE' });
});
