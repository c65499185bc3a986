import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import type { Generation } from '../../../../subgraphs/residential/generation/domain/generation.ts';
import { batchText } from '../../../../subgraphs/residential/generation/services/generate-proxies.ts';
import { keyOf, sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';
import { rowOf, rowsOf, setRows } from '../../../kit/tables.ts';

let world: ResidentialWorld;
let plan: Plan;
beforeAll(async () => {
  world = await startResidential({ PROXY_HOST: 'proxy.egress.example' });
  plan = await world.plan('acct_a', 'PREMIUM');
});
afterAll(() => world?.close());

const GENERATE =
  'query ($planId: ID!, $input: ProxyGenerateInput!) { residentialProxies(planId: $planId, input: $input) { id count text } }';
const PREVIEW = 'query ($planId: ID!, $input: ProxyGenerateInput!) { residentialProxyPreview(planId: $planId, input: $input) }';
const input = (over: object = {}) => ({ targeting: { pool: 'Germany' }, session: 'STICKY', quantity: 10, ...over });

async function generate(over: object = {}, viewer = keyOf('acct_a'), planId = plan.id) {
  const { data, errors } = await world.ask(viewer, GENERATE, { planId, input: input(over) });
  if (errors) throw errors[0];
  return (data as unknown as { residentialProxies: { id: string; count: number; text: string } }).residentialProxies;
}
const sessionsOf = (text: string) => text.split('\n').map((line) => /-session-(\d{8})-/.exec(line)?.[1] ?? '');

test('ten thousand sticky lines have ten thousand session numbers', async () => {
  const { count, text } = await generate({ quantity: 10_000 });
  const lines = text.split('\n');
  expect(count).toBe(10_000);
  expect(new Set(sessionsOf(text)).size).toBe(10_000);
  const pattern = new RegExp(`^proxy\\.egress\\.example:7777:${plan.username}-country-de-session-\\d{8}-sessionttl-60:[0-9A-Za-z]{22}$`);
  expect(lines.filter((line) => !pattern.test(line))).toEqual([]);
});

test('batches of one plan never share a session number, also when they are made at once', async () => {
  const batches = await Promise.all(Array.from({ length: 12 }, (_, index) => generate({ quantity: 500 + index })));
  const all = batches.flatMap(({ text }) => sessionsOf(text));
  expect(new Set(all).size).toBe(all.length);
});

test('a batch can be made again from what is stored, byte for byte', async () => {
  for (const over of [
    { quantity: 1234, targeting: { pool: 'US', state: 'new york', city: 'new york city' }, protocol: 'SOCKS5' },
    { session: 'ROTATING', quantity: 3 },
  ]) {
    const { id, text } = await generate(over);
    await generate({ quantity: 77 });
    const row = await rowOf<{ session_start: string | null; line_count: number; input: Generation; credential_epoch: number }>(
      world.query,
      'residential.proxy_batch',
      { id },
    );
    const now = await world.planNow(plan.id);
    expect(row?.credential_epoch).toBe(now.credentialEpoch);
    const sessionStart = row?.session_start == null ? null : Number(row.session_start);
    expect(
      batchText(world.context(), now, {
        input: row?.input as Generation,
        count: row?.line_count ?? 0,
        sessionStart,
        passwordSealed: now.passwordSealed,
      }),
    ).toBe(text);
  }
});

test('rotating lines carry no session, are all alike, and are as many as requested', async () => {
  const { count, text } = await generate({ session: 'ROTATING', quantity: 5, targeting: { pool: 'worldwide' } });
  expect(count).toBe(5);
  expect(new Set(text.split('\n')).size).toBe(1);
  expect(text.split('\n')).toHaveLength(5);
  expect(text.split(':')[2]).toBe(`${plan.username}-country-any`);
});

test('http and socks5 differ by their port only', async () => {
  const [http, socks] = await Promise.all([
    generate({ session: 'ROTATING', quantity: 1 }),
    generate({ session: 'ROTATING', quantity: 1, protocol: 'SOCKS5' }),
  ]);
  expect(socks.text).toBe(http.text.replace(':7777:', ':7778:'));
});

test('the preview is the first line of the next batch, and uses up no session number', async () => {
  const preview = async () =>
    (await world.ask(sessionOf('acct_a'), PREVIEW, { planId: plan.id, input: input() })).data as { residentialProxyPreview: string };
  const line = (await preview()).residentialProxyPreview;
  expect((await preview()).residentialProxyPreview).toBe(line);
  expect((await generate()).text.split('\n')[0]).toBe(line);
});

test('the lines of a batch are the lines of its text', async () => {
  const { data } = await world.ask(
    keyOf('acct_a'),
    'query ($planId: ID!, $input: ProxyGenerateInput!) { residentialProxies(planId: $planId, input: $input) { lines text } }',
    { planId: plan.id, input: input() },
  );
  const { lines, text } = (data as unknown as { residentialProxies: { lines: string[]; text: string } }).residentialProxies;
  expect(lines).toHaveLength(10);
  expect(lines.join('\n')).toBe(text);
});

describe('refused', () => {
  const counted = () => rowsOf<{ count: string }>(world.query, 'residential.proxy_batch', { plan_id: plan.id }, { columns: 'count(*)' });

  test.each([
    ['too many lines for a key', keyOf('acct_a'), { quantity: 10_001 }, 'quantity_invalid'],
    ['too many lines for the form', sessionOf('acct_a'), { quantity: 5_001 }, 'quantity_invalid'],
    ['no line', keyOf('acct_a'), { quantity: 0 }, 'quantity_invalid'],
    ['5 minutes for a key', keyOf('acct_a'), { sessionMinutes: 5 }, 'time_not_allowed'],
    [
      'a time of another product, also for rotating lines',
      keyOf('acct_a'),
      { session: 'ROTATING', sessionMinutes: 720 },
      'time_not_allowed',
    ],
    ['an unknown pool', keyOf('acct_a'), { targeting: { pool: 'Atlantis' } }, 'pool_unknown'],
    ['an unknown state', keyOf('acct_a'), { targeting: { pool: 'US', state: 'Atlantis' } }, 'state_unknown'],
    ['an unknown city', keyOf('acct_a'), { targeting: { pool: 'US', city: 'Qwertzburg' } }, 'city_unknown'],
    ['a state of Europe', keyOf('acct_a'), { targeting: { pool: 'Europe', state: 'Bavaria' } }, 'targeting_needs_country'],
    ["another account's plan", keyOf('acct_b'), {}, 'plan_not_found'],
    ['a key that may not generate', keyOf('acct_a', ['read']), {}, 'forbidden'],
  ])('%s, and nothing is stored', async (_title, viewer, over, code) => {
    const before = await counted();
    expect(codesOf(await world.ask(viewer, GENERATE, { planId: plan.id, input: input(over) }))).toEqual([code]);
    expect(codesOf(await world.ask(viewer, PREVIEW, { planId: plan.id, input: input(over) }))).toEqual([code]);
    expect(await counted()).toEqual(before);
  });

  test('with the allowed range in the sentence', async () => {
    const { errors } = await world.ask(keyOf('acct_a'), GENERATE, { planId: plan.id, input: input({ quantity: 10_001 }) });
    expect(errors?.[0]?.message).toBe('quantity must be a whole number from 1 to 10,000.');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'quantity_invalid', field: 'quantity' });
  });
});

test('5 minutes are accepted from the form', async () => {
  expect((await generate({ sessionMinutes: 5 }, sessionOf('acct_a'))).text).toContain('-sessionttl-5:');
});

test('a paused plan generates, an expired one does not', async () => {
  const limited = await world.plan('acct_a', 'PREMIUM', 5n * GB);
  await setRows(world.query, 'residential.plan', { daily_limit_bytes: GB }, { id: limited.id });
  await world.use(limited, GB);
  expect((await generate({}, keyOf('acct_a'), limited.id)).count).toBe(10);
  await world.use(limited, 4n * GB);
  expect(codesOf(await world.ask(keyOf('acct_a'), GENERATE, { planId: limited.id, input: input() }))).toEqual(['plan_expired']);
});
