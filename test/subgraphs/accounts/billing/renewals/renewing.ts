// Subscriptions that come to the end of their period, for the test files that call `openRenewing`.
import { afterAll, beforeAll } from 'vitest';
import { type SubscriptionWorld, startSubscriptions } from '../subscriptions/subscription-world.ts';
import type { Person } from '../world.ts';

export let world: SubscriptionWorld;
let people = 0;
/** Starts the world before the tests of the calling file, and closes it after them. */
export function openRenewing(): void {
  beforeAll(async () => {
    world = await startSubscriptions({ TAX_RATES: 'DE=19' });
  });
  afterAll(() => world.close());
}
/** A new account in a country without tax. */
export async function someone(): Promise<Person> {
  const person = await world.account(`person${++people}@example.com`);
  await world.moveTo(person, 'US');
  return person;
}
/** A test card that can be attached, and is declined when it is charged. */
export const FAILS_LATER = '4000000000000341';

export const GOOD = '4242424242424242';
export const chargesOf = (id: string) => world.sandbox.card.charges().filter(({ customer }) => customer === customerOf(id));
export const customerOf = (id: string) =>
  world.sandbox.card.subscriptions().find(({ metadata }) => metadata['subscription_id'] === id)?.customer;
export const CANCEL = (id: string) =>
  `mutation { subscriptionCancel(id: "${id}") { status cancelAtPeriodEnd upcomingRenewal { at } availableActions { action allowed } } }`;

export const KEEP = (id: string) => `mutation { subscriptionKeep(id: "${id}") { status cancelAtPeriodEnd } }`;
