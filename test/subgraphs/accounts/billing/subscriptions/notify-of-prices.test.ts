// What sellers say of the prices of one account: its owner is told by mail in their language, unless staff chose otherwise.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import type { Person } from '../world.ts';
import { type SubscriptionWorld, startSubscriptions } from './subscription-world.ts';
import { replaceRoles } from '../../../../../subgraphs/accounts/identity/entities/staff-role.ts';
import type { StaffRole } from '#platform/staff-permissions.ts';

let world: SubscriptionWorld;
beforeAll(async () => {
  world = await startSubscriptions({});
});
afterAll(() => world.close());

const hold = (id: string, roles: readonly StaffRole[]) =>
  replaceRoles(world.context().em, id, { roles, givenAt: world.clock.now(), givenBy: null });

let people = 0;
const someone = () => world.account(`priced${++people}@example.com`);

type Fact =
  | Pick<NewEvent<'account_price.requested'>, 'type' | 'data'>
  | Pick<NewEvent<'account_price.set'>, 'type' | 'data'>
  | Pick<NewEvent<'account_price.ended'>, 'type' | 'data'>;
async function told(person: Person, fact: Fact) {
  await appendEvents(world.context().em, { ...fact, at: world.clock.now(), accountId: person.id, subject: 'acp_1' });
  await world.subgraph.reader.drain();
  await world.rest();
  return (await world.mailed(person.email)).at(-1);
}

const PREMIUM = {
  seller: 'residential',
  item: 'residential.PREMIUM',
  name: 'Gold',
  prices: [
    { from: 1, amountMinor: 438 },
    { from: 10, amountMinor: 394 },
  ],
  tell: true,
};
const NORTHLINE = {
  seller: 'static',
  item: 'static.isp-northline',
  name: 'Northline',
  prices: [{ from: 1, amountMinor: 150 }],
  tell: true,
};
const BACKUPS = { seller: 'compute', item: 'vps.backups', prices: [{ from: 1, amountMinor: 250 }], tell: true };
const now = () => world.clock.now().toISOString();

test('a price that begins at once says what each GB costs, how much that is off, and what becomes of packages', async () => {
  const ada = await someone();
  const mail = await told(ada, {
    type: 'account_price.set',
    data: { ...PREMIUM, offBasisPoints: 1_250, from: now(), changes: false, running: false },
  });
  expect(mail?.subject).toBe('A price of your own: Gold');
  expect(mail?.text).toContain('From now on, this is what you pay for Gold, before tax: 4.38 USD per GB from 1 GB, 3.94 USD from 10 GB.');
  expect(mail?.text).toContain('That is 12.50 % off our list price, and changes with it.');
  expect(mail?.text).toContain('What you have bought stays as it is.');
  expect(mail?.text).toContain('/residential\n');
});

test('one that changes another says so, its dates, and that what runs renews at it', async () => {
  const bob = await someone();
  const dates = { from: '2026-02-01T00:00:00Z', until: '2026-08-01T00:00:00Z' };
  const mail = await told(bob, { type: 'account_price.set', data: { ...NORTHLINE, ...dates, changes: true, running: true } });
  expect(mail?.subject).toBe('Your price changes: ISP Northline');
  expect(mail?.text).toContain('From 2026-02-01 00:00 UTC until 2026-08-01 00:00 UTC, this is what you pay for ISP Northline');
  expect(mail?.text).toContain('1.50 USD per address and month.\n');
  expect(mail?.text).toContain('What you have now renews at it');
});

test('the end says what the account pays from then on; one that had not begun does not come', async () => {
  const cleo = await someone();
  const ended = await told(cleo, { type: 'account_price.ended', data: BACKUPS });
  expect(ended?.subject).toBe('Your price has ended: Backups of VPS');
  expect(ended?.text).toContain('From now on you pay, before tax: 2.50 USD per month.');
  expect(ended?.text).toContain('What has renewed at your own price keeps it.');
  const withdrawn = await told(cleo, { type: 'account_price.ended', data: { ...BACKUPS, from: '2026-02-01T00:00:00Z' } });
  expect(withdrawn?.subject).toBe('The price does not come: Backups of VPS');
});

test('nothing is sent when staff chose so', async () => {
  const dora = await someone();
  const price = { ...PREMIUM, tell: false };
  await told(dora, { type: 'account_price.set', data: { ...price, from: now(), changes: false, running: false } });
  await told(dora, { type: 'account_price.ended', data: price });
  expect((await world.mailed(dora.email)).filter(({ subject }) => /price/i.test(subject))).toEqual([]);
});

test('one that waits is told to each colleague who may agree to it, and neither to who has asked nor to whose account it is for', async () => {
  const roles = {
    asker: ['FINANCE'],
    second: ['FINANCE'],
    owner: ['OWNER'],
    support: ['SUPPORT'],
    priced: ['FINANCE', 'SUPPORT'],
  } as const;
  const desk: Record<string, Person> = {};
  for (const [name, held] of Object.entries(roles)) {
    const person = await world.account(`${name}@desk.example`, 'STAFF');
    desk[name] = person;
    await hold(person.id, held);
  }
  const data = {
    seller: 'static',
    item: 'static.datacenter',
    lowersBasisPoints: 4_500,
    askedBy: desk['asker']?.id ?? '',
    expiresAt: now(),
  };
  const asked = async (name: string) =>
    (await world.mailed(`${name}@desk.example`)).filter(({ subject }) => subject.startsWith('Waits for a second person'));
  await told(desk['priced'] ?? expect.unreachable(), { type: 'account_price.requested', data });
  for (const [name, mails] of Object.entries({ asker: 0, second: 1, owner: 1, support: 0, priced: 0 }))
    expect([name, (await asked(name)).length]).toEqual([name, mails]);
  const [mail] = await asked('second');
  expect(mail?.subject).toBe('Waits for a second person: A price of static.datacenter, up to 45.00% below the catalogue');
  expect(mail?.text).toContain('asker@desk.example has asked for this at the desk');
  expect(mail?.text).toContain('/support');
});
