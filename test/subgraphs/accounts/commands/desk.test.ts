// Support's commands, called by their tables as one member of staff. That they run as processes is tested in issue-api-key.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACCOUNT_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-accounts.ts';
import { CREDIT_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-credit.ts';
import { EVENT_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-events.ts';
import { ORDER_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-orders.ts';
import type { Words } from '../../../../subgraphs/accounts/commands/desk.ts';
import { type AccountsWorld, codeOf, dataOf, startAccounts } from '../world.ts';
import { actsOf, rowsOf, setRows, tell as tellOf } from '../../../kit/tables.ts';
import { placeOrder } from '../../../kit/purchase.ts';

let world: AccountsWorld;
type Desk = (command: string, of?: string, more?: Partial<Words>) => Promise<string>;
let desk: Desk;
let colleague: Desk;
beforeAll(async () => {
  world = await startAccounts();
  const deskOf = async (email: string): Promise<Desk> => {
    const { viewer } = await world.account(email, 'STAFF');
    return async (command, of = '', more = {}) => {
      const found = { ...ACCOUNT_COMMANDS, ...ORDER_COMMANDS, ...EVENT_COMMANDS, ...CREDIT_COMMANDS }[command];
      if (!found) throw new Error(`there is no command ${command}`);
      return found.run(world.as(viewer), { ...more, of });
    };
  };
  desk = await deskOf('ada@example.com');
  colleague = await deskOf('bea@example.com');
});
afterAll(() => world.close());

const activityOf = (accountId: string) => actsOf(world.query, accountId);

test('a transfer is confirmed, once, what it has too much is credit, and the delivery is seen', async () => {
  const dot = await world.account('dot@example.com');
  const { id } = dataOf<{ id: string }>(
    await world.ask(dot.viewer, placeOrder('id', 'BANK_TRANSFER'), {
      key: 'dot-buys',
      offer: world.offer(dot.id, {
        seller: 'static',
        title: 'ISP',
        subtotalMinor: 80_000,
        totalMinor: 80_000,
        lines: [{ label: 'ISP', quantity: 1, amountMinor: 80_000 }],
      }),
    }),
    'orderPlace',
  );
  expect(await desk('waiting', 'transfers')).toContain(`${id}\t${dot.id}\tPENDING\tISP\t800.00 USD`);
  await expect(desk('waiting', 'late')).rejects.toThrow('The list is one of stuck, transfers, coins, contradicted.');
  await expect(desk('confirm-transfer', id)).rejects.toThrow('--amount 500.00');
  await expect(desk('confirm-transfer', id, { amount: '8e2', reference: 'BANK-7' })).rejects.toThrow('not 8e2');
  for (const time of ['first', 'second'])
    expect(await desk('confirm-transfer', id, { amount: '810.50', reference: 'BANK-7' }), time).toBe(`${id} is PAID.`);
  expect(await rowsOf(world.query, 'accounts.credit_balance', { account_id: dot.id }, { columns: 'amount_minor::int' })).toEqual([
    { amount_minor: 1_050 },
  ]);
  expect(await activityOf(dot.id)).toContain('SUPPORT transfer.confirmed');
  expect(await desk('owned', 'dot@example.com')).toBe('');
  await setRows(world.query, 'accounts.customer_order', { status: 'FULFILLED', resource_id: 'splan_dot' }, { id });
  expect(await desk('owned', 'dot@example.com')).toBe(`splan_dot\tstatic\tISP\tFULFILLED\tbought once\t${id}`);
  expect(await desk('orders', dot.id)).toContain(`${id}\tFULFILLED\tISP\t800.00 USD`);
});

test('what sales agreed is written down, read and ended; a wish for sales is closed', async () => {
  const eli = await world.account('eli@example.com');
  await expect(desk('agree', eli.id, { kind: 'favour', terms: 'x' })).rejects.toThrow('--kind is one of volume, plan, price, sla.');
  await expect(desk('agree', eli.id, { kind: 'sla' })).rejects.toThrow('--terms TEXT');
  await expect(desk('agree', eli.id, { kind: 'sla', terms: 'x', until: 'soon' })).rejects.toThrow('--until takes days or hours');
  const [id = ''] = (await desk('agree', eli.id, { kind: 'sla', terms: '99.9 % a month', until: '365d' })).split(' ');
  expect(await desk('agreements', 'eli@example.com')).toMatch(new RegExp(`^${id}\tSLA\tuntil .*\t99\\.9 % a month$`));
  expect(await desk('end-agreement', id)).toBe(`${id} has ended.`);
  expect(await activityOf(eli.id)).toEqual(expect.arrayContaining(['SUPPORT arrangement.recorded', 'SUPPORT arrangement.ended']));
  await world.ask(eli.viewer, 'mutation { salesRequestSend(input: { product: "Premium", volume: "5 TB" }) { id } }');
  const [wish = ''] = (await desk('sales-requests')).split('\t');
  expect(await desk('close-sales-request', wish)).toBe(`${wish} is closed.`);
  expect(await desk('sales-requests')).toBe('');
});

test('a wish for a key is answered by a key, or declined, and the activity says so', async () => {
  const fay = await world.account('fay@example.com');
  const ask = async () =>
    dataOf<{ id: string }>(
      await world.ask(fay.viewer, 'mutation { apiKeyRequest(input: { kind: STANDARD, note: "for a robot" }) { id } }'),
      'apiKeyRequest',
    ).id;
  const [one, two] = [await ask(), await ask()];
  for (const id of [one, two]) expect(await desk('key-requests')).toMatch(new RegExp(`${id}\t${fay.id}\tSTANDARD.*for a robot`));
  expect(await desk('issue-key', 'fay@example.com', { request: one, expires: '30d' })).toMatch(/^egress_test_/);
  expect(await desk('decline-key', two)).toBe(`${two} is declined.`);
  expect(await desk('key-requests')).toBe('');
  expect(await activityOf(fay.id)).toEqual(expect.arrayContaining(['SUPPORT api_key.issued', 'SUPPORT api_key.declined']));
});

test('an event whose reaction failed is seen with its reason, tried again by its number or with all, and done when its cause is mended', async () => {
  const fox = await world.account('fox@example.com');
  const staff = await world.account('gnu@example.com', 'STAFF');
  const LETTERS = '{ supportDeadLetters { id reader type subject accountId attempts error nextTryAt } }';
  const REDRIVE = 'mutation ($id: ID) { supportDeadLettersRedrive(id: $id) { subject } }';
  const tell = (subject: string, data: object) => tellOf(world.query, 'static_plan.failed', fox.id, subject, data as never);
  // The data of these events is not what the reaction expects.
  await tell('splan_a', { orderId: 7 });
  await tell('splan_b', {});
  await tell('splan_a', { orderId: 'ord_of_nobody', reason: 'sold out' });
  await world.subgraph.reader.drain();
  const letters = dataOf<{ id: string }[]>(await world.ask(staff.viewer, LETTERS), 'supportDeadLetters');
  const bad = {
    reader: 'accounts',
    type: 'static_plan.failed',
    accountId: fox.id,
    attempts: 2,
    error: expect.stringContaining('expected string'),
  };
  expect(letters).toMatchObject([
    { ...bad, subject: 'splan_a' },
    { ...bad, subject: 'splan_b' },
    { subject: 'splan_a', attempts: 0, error: null, nextTryAt: null },
  ]);
  expect(codeOf(await world.ask(fox.viewer, LETTERS))).toBe('forbidden');
  expect(codeOf(await world.ask(fox.viewer, REDRIVE, { id: letters[0]?.id }))).toBe('forbidden');
  for (const id of ['99999', 'nonsense', letters[2]?.id])
    expect(codeOf(await world.ask(staff.viewer, REDRIVE, { id }))).toBe('event_not_found');
  expect(await desk('redrive', letters[0]?.id)).toBe('1 tried again.');
  await world.subgraph.reader.drain();
  expect(await desk('dead-letters')).toContain(`${letters[0]?.id}\taccounts\tstatic_plan.failed\tsplan_a\t${fox.id}\tfailed 3 times`);
  expect(await activityOf(fox.id)).toContain('SUPPORT event.redriven');
  // Repairs the events, as if a new release understood them.
  await setRows(world.query, 'platform.dead_letter', { data: '{"orderId":"ord_of_nobody","reason":"sold out"}' });
  expect(dataOf<object[]>(await world.ask(staff.viewer, REDRIVE), 'supportDeadLettersRedrive')).toEqual([
    { subject: 'splan_a' },
    { subject: 'splan_b' },
  ]);
  await world.subgraph.reader.drain();
  expect(await desk('dead-letters')).toBe('');
  expect(await activityOf(staff.id)).toContain('SUPPORT event.redriven');
});

test('credit that one member of staff asks for is given, or refused, by another one only', async () => {
  const { id: accountId } = await world.account('cleo@example.com');
  await expect(desk('credit-request', 'cleo@example.com', { reason: 'A long outage' })).rejects.toThrow('--amount 12.50');
  await expect(desk('credit-request', accountId, { amount: '1e3', reason: 'A long outage' })).rejects.toThrow('not 1e3');
  const [given = ''] = (await desk('credit-request', 'cleo@example.com', { amount: '700.50', reason: 'A long outage' })).split(' ');
  const [refused = ''] = (await desk('credit-request', accountId, { amount: '1', reason: 'By mistake' })).split(' ');
  expect(await colleague('credit-requests')).toMatch(
    new RegExp(`^${given}\tGRANT\t${accountId}\t700\\.50 USD\tasked by acct_.*\tA long outage\n${refused}\t`),
  );
  await expect(desk('credit-agree', given)).rejects.toMatchObject({ code: 'action_not_allowed' });
  expect(await colleague('credit-agree', given)).toBe(`${accountId} has 700.50 USD more.`);
  expect(await colleague('credit-refuse', refused)).toBe(`${refused} is declined.`);
  expect(await desk('credit-requests')).toBe('');
  expect(await rowsOf(world.query, 'accounts.credit_balance', { account_id: accountId }, { columns: 'amount_minor::int' })).toEqual([
    { amount_minor: 70_050 },
  ]);
});
