// Credit that needs two members of support, and how credit given by mistake is taken back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { actsOf, rowsOf } from '../../../../kit/tables.ts';
import { codeOf, dataOf } from '../../world.ts';
import { type BillingWorld, type Person, startBilling } from '../world.ts';
import { replaceRoles } from '../../../../../subgraphs/accounts/identity/entities/staff-role.ts';
import type { StaffRole } from '#platform/staff-permissions.ts';

let world: BillingWorld;
let ann: Person;
let ben: Person;
let people = 0;
beforeAll(async () => {
  world = await startBilling({ STAFF_DAILY_LIMIT: '1000', STAFF_GRANT_LIMIT: '50' });
  ann = await world.account('ann@desk.example', 'STAFF');
  ben = await world.account('ben@desk.example', 'STAFF');
});
afterAll(() => world.close());

const hold = (id: string, roles: readonly StaffRole[]) =>
  replaceRoles(world.context().em, id, { roles, givenAt: world.clock.now(), givenBy: null });

const someone = () => world.account(`credit${++people}@example.com`);
const request = (accountId: string, amountMinor: number, by = ann) =>
  world.ask(
    by.viewer,
    'mutation ($input: SupportCreditRequestInput!) { supportCreditRequest(input: $input) { id decision askedBy { email } } }',
    {
      input: { accountId, amountMinor, currency: 'USD', reason: 'For a lost week.' },
    },
  );
const asked = async (accountId: string, amountMinor: number, by = ann) =>
  dataOf<{ id: string }>(await request(accountId, amountMinor, by), 'supportCreditRequest').id;
const decide = (how: 'Approve' | 'Decline', id: string, by: Person) =>
  world.ask(by.viewer, `mutation ($id: ID!) { answer: supportCredit${how}(id: $id) { decision } }`, { id });
const reverse = (lineId: string, more: object = {}, by = ann) =>
  world.ask(by.viewer, 'mutation ($input: SupportCreditReverseInput!) { supportCreditReverse(input: $input) { amountMinor } }', {
    input: { lineId, reason: 'A typing mistake.', ...more },
  });
interface Line {
  id: string;
  title: string;
  reference: string;
  amount: { amountMinor: number };
  reversible: boolean;
}
const statement = async (person: Person): Promise<Line[]> =>
  dataOf<{ credit: { statement: { items: Line[] } } }>(
    await world.ask(person.viewer, '{ me { credit { statement { items { id title reference amount { amountMinor } reversible } } } } }'),
    'me',
  ).credit.statement.items;

test('more than one may give at once needs a second one: who asks does not answer, and the answer counts once', async () => {
  const ada = await someone();
  expect(codeOf(await world.grant(ada.id, 5_000, ann.viewer))).toBeUndefined();
  expect(codeOf(await world.grant(ada.id, 5_001, ann.viewer))).toBe('second_person_needed');
  const id = await asked(ada.id, 200_000);
  expect(codeOf(await decide('Approve', id, ann))).toBe('action_not_allowed');
  const answers = await Promise.all([decide('Approve', id, ben), decide('Approve', id, ben), decide('Decline', id, ben)]);
  expect(answers.map(codeOf).filter((code) => code === undefined)).toHaveLength(1);
  const approved = (await rowsOf<{ decision: string }>(world.query, 'accounts.credit_request', { id }))[0]?.decision === 'APPROVED';
  expect(await world.balance(ada)).toBe(approved ? 205_000 : 5_000);
  expect((await actsOf(world.query, ada.id)).filter((act) => act === 'SUPPORT credit.requested')).toHaveLength(1);
});

test('what is asked for is mailed to who may give it, and without anybody to support', async () => {
  const eve = await someone();
  const asking = async (address: string) =>
    (await world.mailed(address)).filter(({ subject }) => subject === 'Waits for a second person: Credit of 123.45 USD').length;
  await hold(ann.id, ['FINANCE']);
  await hold(ben.id, ['SUPPORT']);
  await asked(eve.id, 12_345);
  expect([await asking(ann.email), await asking(ben.email), await asking(world.context().providers.supportEmail)]).toEqual([0, 0, 1]);
  await hold(ben.id, ['FINANCE']);
  await asked(eve.id, 12_345);
  expect([await asking(ann.email), await asking(ben.email), await asking(world.context().providers.supportEmail)]).toEqual([0, 1, 1]);
});

test('nobody gives themselves credit; one may ask for it, and a colleague gives it', async () => {
  const id = await asked(ann.id, 100);
  expect(codeOf(await decide('Approve', id, ann))).toBe('action_not_allowed');
  expect(codeOf(await decide('Approve', id, ben))).toBeUndefined();
  const other = await asked(ann.id, 100, ben);
  expect(codeOf(await decide('Approve', other, ann))).toBe('own_account_refused');
  expect(await world.balance(ann)).toBe(100);
});

test('a request that is declined, or that nobody answers for seven days, gives nothing', async () => {
  const bea = await someone();
  const declined = await asked(bea.id, 100);
  expect(dataOf(await decide('Decline', declined, ben), 'answer')).toEqual({ decision: 'DECLINED' });
  const late = await asked(bea.id, 100);
  const list = async () =>
    dataOf<{ id: string }[]>(await world.ask(ben.viewer, '{ supportCreditRequests { id } }'), 'supportCreditRequests').map(({ id }) => id);
  expect(await list()).toContain(late);
  world.clock.advance(7 * DAY);
  expect(await list()).not.toContain(late);
  expect(codeOf(await decide('Approve', late, ben))).toBe('request_not_found');
  expect(await world.balance(bea)).toBe(0);
  expect(codeOf(await request('acct_none', 100))).toBe('account_not_found');
  expect(codeOf(await request(bea.id, 0))).toBe('parameter_invalid');
});

test('a wrong grant is taken back once, by a journal that names it, and the owner reads why', async () => {
  const cleo = await someone();
  await world.grant(cleo.id, 5_000, ann.viewer);
  const [line] = await statement(cleo);
  const answers = await Promise.all([reverse(line?.id ?? ''), reverse(line?.id ?? '')]);
  expect(answers.map(codeOf).sort()).toEqual(['action_not_allowed', undefined]);
  expect(await world.balance(cleo)).toBe(0);
  expect(await statement(cleo)).toMatchObject([
    { title: 'Taken back: it was given by mistake', reference: line?.id, amount: { amountMinor: -5_000 } },
    { id: line?.id },
  ]);
  expect(await world.books(line?.id ?? '')).toEqual({ CUSTOMER_CREDIT: 5_000, GOODWILL: -5_000 });
  expect((await world.mailed(cleo.email)).at(-1)?.subject).toMatch(/50\.00.* of account credit taken back$/);
});

test('what is spent already stays with the customer, unless staff takes what is left; never below zero', async () => {
  const dora = await someone();
  await world.grant(dora.id, 5_000, ann.viewer);
  const [line] = await statement(dora);
  await world.buy(dora);
  expect(await world.balance(dora)).toBe(2_500);
  expect(codeOf(await reverse(line?.id ?? ''))).toBe('action_not_allowed');
  expect(dataOf(await reverse(line?.id ?? '', { whatIsLeft: true }), 'supportCreditReverse')).toEqual({ amountMinor: 0 });
  expect((await statement(dora)).map(({ reversible }) => reversible)).not.toContain(true);
  expect(await world.balance(dora)).toBe(0);
});

test('only grants and mistyped transfers are taken back, by somebody else than their owner, for a reason', async () => {
  const eva = await someone();
  await world.grant(eva.id, 5_000, ann.viewer);
  await world.buy(eva);
  const [spent, granted] = await statement(eva);
  expect([spent?.reversible, granted?.reversible]).toEqual([false, true]);
  expect(codeOf(await reverse(spent?.id ?? ''))).toBe('action_not_allowed');
  expect(codeOf(await reverse('jrn_none'))).toBe('credit_line_not_found');
  expect(codeOf(await reverse(granted?.id ?? '', { reason: ' ' }))).toBe('parameter_invalid');
  await world.grant(ann.id, 100, ben.viewer);
  const [own] = await statement(ann);
  expect(codeOf(await reverse(own?.id ?? ''))).toBe('own_account_refused');
});
