// Prices of one account that lower a price by more than one member of staff may: without any effect until a second one agrees.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { PRICE_COMMANDS, type PriceWords } from '#commerce/account-prices/price-commands.ts';
import { runCommand } from '#platform/desk-command.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { type StaticWorld, startStatic } from '../world.ts';

let world: StaticWorld;
beforeAll(async () => {
  // 1.20 per address; 30 percent may be taken off alone, by default.
  world = await startStatic();
  await world.stock('datacenter', 80, '10.8');
});
afterAll(() => world.close());

const [asker, second] = [sessionOf('acct_asker', true), sessionOf('acct_second', true)];
const LINE = '{ id accountId value costs from until setBy state awaitsApprovalUntil lowersBasisPoints approvedBy }';
const ask = async (query: string, variables: Record<string, unknown> = {}, viewer = asker) => {
  const { data, errors } = await world.ask(viewer, query, variables);
  return { line: (data as any)?.line, code: errors?.[0]?.extensions['code'], reason: errors?.[0]?.extensions['reasonCode'] };
};
const set = (accountId: string, value: string, more: { from?: string; until?: string; running?: boolean; tell?: boolean } = {}) =>
  ask(
    `mutation ($accountId: ID!, $value: String!, $from: DateTime, $until: DateTime, $running: Boolean! = false, $tell: Boolean! = true) {
      line: supportStaticAccountPriceSet(accountId: $accountId, item: "static.datacenter", value: $value, reason: "volume",
        from: $from, until: $until, running: $running, tell: $tell) ${LINE} }`,
    { accountId, value, ...more },
  );
const agree = (id: string, by = second) => ask(`mutation ($id: ID!) { line: supportStaticAccountPriceAgree(id: $id) ${LINE} }`, { id }, by);
const refuse = (id: string, by = second) =>
  ask(`mutation ($id: ID!) { line: supportStaticAccountPriceRefuse(id: $id) ${LINE} }`, { id }, by);
const listed = async (accountId: string) =>
  (await ask(`query ($accountId: ID!) { line: supportStaticAccountPrices(accountId: $accountId) ${LINE} }`, { accountId })).line;
const waiting = async () =>
  (await ask(`{ line: supportStaticAccountPricesWaiting ${LINE} }`)).line.map(({ id }: { id: string }) => id) as string[];
const costs = async (accountId: string) => {
  const { data } = await world.ask(
    sessionOf(accountId),
    'mutation { staticOfferMake(productId: "datacenter", quantity: 1) { subtotal { amountMinor } } }',
  );
  return (data as any).staticOfferMake.subtotal.amountMinor as number;
};
const later = (milliseconds: number) => new Date(world.clock.now().getTime() + milliseconds);
const told = async (id: string) => (await world.events(id)).map(({ type }) => type);

test('a price that lowers no more than the limit holds at once', async () => {
  for (const [account, value, cents] of [
    ['acct_share', '30%', 84],
    ['acct_price', '0.84', 84],
  ] as const) {
    const { line } = await set(account, value);
    expect(line).toMatchObject({ state: 'IN_FORCE', awaitsApprovalUntil: null, approvedBy: null });
    expect(await costs(account)).toBe(cents);
  }
  expect(await waiting()).toEqual([]);
});

test('one that lowers more has no effect and tells nobody, until a second person agrees, and then it holds from that moment', async () => {
  const { line } = await set('acct_large', '0.60', { running: true });
  const until = later(7 * DAY).toISOString();
  expect(line).toMatchObject({
    accountId: 'acct_large',
    costs: '0.60',
    state: 'AHEAD',
    awaitsApprovalUntil: until,
    lowersBasisPoints: 5_000,
  });
  expect([await costs('acct_large'), await waiting(), await told(line.id)]).toEqual([120, [line.id], ['account_price.requested']]);
  expect(await listed('acct_large')).toEqual([line]);
  expect(await rowsOf(world.query, 'static.repricing', { account_id: 'acct_large' })).toEqual([]);
  world.clock.advance(MINUTE);
  const agreed = await agree(line.id);
  const shown = {
    state: 'IN_FORCE',
    from: world.clock.now().toISOString(),
    setBy: 'acct_asker',
    approvedBy: 'acct_second',
    awaitsApprovalUntil: null,
  };
  expect(agreed.line).toMatchObject({ id: line.id, ...shown });
  expect(await listed('acct_large')).toMatchObject([shown]);
  expect([await costs('acct_large'), await waiting(), await told(line.id)]).toEqual([
    60,
    [],
    ['account_price.requested', 'account_price.set'],
  ]);
  expect(await rowsOf(world.query, 'static.repricing', { account_id: 'acct_large' })).toHaveLength(1);
  expect(await agree(line.id)).toMatchObject({ code: 'action_not_allowed', reason: 'account_price_decided' });
});

test('the preview says how far a price is below the catalogue, and that a second person is needed', async () => {
  const lowering = async (value: string) =>
    (
      await ask(
        `query ($value: String!) { line: supportStaticAccountPriceLowering(item: "static.datacenter", value: $value) {
          lowersBasisPoints aloneBasisPoints needsSecondPerson } }`,
        { value },
      )
    ).line;
  expect(await lowering('30%')).toEqual({ lowersBasisPoints: 3_000, aloneBasisPoints: 3_000, needsSecondPerson: false });
  expect(await lowering('0.60')).toEqual({ lowersBasisPoints: 5_000, aloneBasisPoints: 3_000, needsSecondPerson: true });
  expect(await lowering('1.50')).toMatchObject({ lowersBasisPoints: 0, needsSecondPerson: false });
  const preview = (price: string) =>
    runCommand(world.as(asker), 'preview', PRICE_COMMANDS['preview']!, {
      of: 'acct_any',
      seller: 'static',
      item: 'static.datacenter',
      price,
    });
  expect(await preview('45%')).toContain('needs a second person: 45.00% below the catalogue, and one may take off 30.00% alone');
  expect(await preview('30%')).not.toContain('second person');
});

test('nobody agrees to their own price, nor to one of their own account', async () => {
  const { line } = await set('acct_second', '31%');
  expect(await agree(line.id, asker)).toMatchObject({ code: 'action_not_allowed', reason: 'account_price_asked_by_you' });
  expect(await refuse(line.id, asker)).toMatchObject({ code: 'action_not_allowed', reason: 'account_price_asked_by_you' });
  expect(await agree(line.id)).toMatchObject({ code: 'own_account_refused' });
  expect((await agree(line.id, sessionOf('acct_third', true))).line).toMatchObject({ approvedBy: 'acct_third', costs: '0.83' });
});

test('one that is declined, or that nobody answers within a week, never holds', async () => {
  const [first, unanswered] = [(await set('acct_never', '90%')).line, (await set('acct_never', '80%')).line];
  expect((await refuse(first.id)).line).toMatchObject({ state: 'WITHDRAWN', awaitsApprovalUntil: null });
  expect(await agree(first.id)).toMatchObject({ reason: 'account_price_decided' });
  world.clock.advance(7 * DAY);
  expect(await agree(unanswered.id)).toMatchObject({ code: 'request_not_found' });
  expect([await waiting(), await listed('acct_never'), await costs('acct_never')]).toEqual([[], [], 120]);
  expect(await agree('acp_none')).toMatchObject({ code: 'request_not_found' });
});

test('one that begins later is agreed to before, and one that would be over is not', async () => {
  const from = later(DAY).toISOString();
  const ahead = (await set('acct_ahead', '50%', { from })).line;
  expect((await agree(ahead.id)).line).toMatchObject({ state: 'AHEAD', from });
  expect(await costs('acct_ahead')).toBe(120);
  const over = (await set('acct_over', '50%', { until: later(MINUTE).toISOString() })).line;
  world.clock.advance(DAY);
  expect(await costs('acct_ahead')).toBe(60);
  expect(await agree(over.id)).toMatchObject({ code: 'action_not_allowed', reason: 'account_price_over' });
});

test('a price is compared with what the catalogue says at any moment of its validity', async () => {
  const dearer = later(DAY).toISOString();
  await ask(
    'mutation ($from: DateTime) { line: supportStaticCatalogueSet(item: "static.datacenter", field: "price", value: "2.00", from: $from, reason: "dearer") { value } }',
    { from: dearer },
  );
  expect((await set('acct_before', '1.00', { until: dearer })).line).toMatchObject({ awaitsApprovalUntil: null });
  expect((await set('acct_beyond', '1.00')).line).toMatchObject({ lowersBasisPoints: 5_000, awaitsApprovalUntil: expect.any(String) });
});

test('the command says what waits, and a colleague answers by it', async () => {
  const run = (name: string, words: Partial<PriceWords>, viewer = asker) =>
    runCommand(world.as(viewer), name, PRICE_COMMANDS[name]!, { of: '', seller: 'static', ...words });
  const wish = { of: 'acct_words', item: 'static.datacenter', price: '45%', reason: 'volume' };
  const [id = '', , , , state] = (await run('set', wish)).split('\t');
  expect(state).toMatch(/^waits for a colleague until \d{4}-/);
  expect(await run('requests', {}, second)).toContain(`acct_words\t${id}\tstatic.datacenter\t45.00%`);
  await expect(run('agree', { of: id })).rejects.toMatchObject({ code: 'action_not_allowed' });
  expect(await run('agree', { of: id }, second)).toContain('\tIN_FORCE\t');
  const [other = ''] = (await run('set', { ...wish, price: '46%' })).split('\t');
  expect(await run('refuse', { of: other }, second)).toContain('\tWITHDRAWN\t');
});
