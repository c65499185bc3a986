import type { ProxyUser } from '../../../../subgraphs/residential/users/domain/proxy-user.ts';
import { createProxyUsers, revealUserPassword } from '../../../../subgraphs/residential/users/services/proxy-users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../../subgraphs/residential/plans/domain/plan.ts';
import { resetAuthentication, setDailyLimit } from '../../../../subgraphs/residential/plans/services/plan-settings.ts';
import { generateProxies } from '../../../../subgraphs/residential/generation/services/generate-proxies.ts';
import { anonymous, keyOf, sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, codesOf, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential({ PROXY_HOST: 'proxy.test', PROXY_HTTP_PORT: '8000', PROXY_SOCKS5_PORT: '9000' });
});
afterAll(() => world?.close());

const owner = sessionOf('acct_a');
const CHECK = `query ($line: String!) { check: proxyLineCheck(line: $line) {
  works problems { code message } planId scheme host port username country exclude state city session turn sessionMinutes } }`;
interface Check {
  works: boolean;
  problems: { code: string; message: string }[];
  planId: string | null;
  [field: string]: unknown;
}
const check = async (line: string, viewer = owner) =>
  ((await world.ask(viewer, CHECK, { line })).data as unknown as { check: Check }).check;
const codes = ({ problems }: Check) => problems.map(({ code }) => code);

async function lineOf(plan: Plan): Promise<string> {
  const input = {
    targeting: { pool: 'US', city: 'Dallas' },
    session: 'STICKY',
    sessionMinutes: 30,
    protocol: 'HTTP',
    quantity: 1,
  } as const;
  return (await generateProxies(world.as(owner), plan.id, input)).text;
}
const asUrl = (line: string) => line.replace(/^(.+?):(\d+):(.+?):(.+)$/, 'socks5://$3:$4@$1:$2');

test('a generated line works in every notation, and the answer has its parts without the password', async () => {
  const plan = await world.plan('acct_a');
  const line = await lineOf(plan);
  const [, , username = '', password = ''] = line.split(':');
  expect(await check(line)).toEqual({
    works: true,
    problems: [],
    planId: plan.id,
    scheme: null,
    host: 'proxy.test',
    port: 8000,
    username,
    country: 'us',
    exclude: null,
    state: null,
    city: 'dallas',
    session: username.split('-')[6],
    turn: null,
    sessionMinutes: 30,
  });
  const url = await check(asUrl(line));
  expect(url).toMatchObject({ works: true, scheme: 'socks5', planId: plan.id });
  expect(JSON.stringify(url)).not.toContain(password);
  expect((await check(line, keyOf('acct_a'))).works).toBe(true);
});

test('each fault has its reason, and all faults are returned together', async () => {
  const plan = await world.plan('acct_a');
  const line = await lineOf(plan);
  const faults: [string, string[]][] = [
    ['what is this', ['UNREADABLE']],
    [line.replace('proxy.test', 'elsewhere.test'), ['HOST_WRONG']],
    [line.replace(':8000:', ':8001:'), ['PORT_WRONG']],
    [line.replace(plan.username, 'nobody'), ['USERNAME_UNKNOWN']],
    [line.replace('-country-', '-land-'), ['USERNAME_INVALID']],
    [line.replace('-country-us', '-country-zz'), ['USERNAME_INVALID']],
    [line.replace('-country-us-city-dallas', '-country-us_de_us'), ['USERNAME_INVALID']],
    [line.replace('-country-us', '-country-us_de'), ['USERNAME_INVALID']],
    [line.replace('-country-us-city-dallas', '-country-us-not-us'), ['USERNAME_INVALID']],
    [line.replace('sessionttl-30', 'sessionttl-31'), ['TIME_NOT_ALLOWED']],
    [line.replace('-city-dallas', '-state-bavaria'), ['STATE_UNKNOWN']],
    [line.replace('-city-dallas', '-city-qwertzburg'), ['CITY_UNKNOWN']],
    [line.replace('-city-dallas', '-state-new_york-city-dallas'), ['CITY_UNKNOWN']],
    [`${line}x`, ['PASSWORD_WRONG']],
    [`${line.replace(':8000:', ':1:').replace('sessionttl-30', 'sessionttl-31')}x`, ['PORT_WRONG', 'TIME_NOT_ALLOWED', 'PASSWORD_WRONG']],
  ];
  for (const [typed, expected] of faults) {
    const answer = await check(typed);
    expect([typed, answer.works, codes(answer)]).toEqual([typed, false, expected]);
  }
  expect(await check(line.replace('-country-us-city-dallas', '-country-us_de').replace('-session-', '-turn-2-session-'))).toMatchObject({
    works: true,
    country: 'de_us',
    exclude: null,
    turn: 2,
  });
  expect(await check(line.replace('-country-us-city-dallas', '-country-eu-not-fr'))).toMatchObject({
    works: true,
    country: 'eu',
    exclude: 'fr',
  });
  expect((await check(line.replace('sessionttl-30', 'sessionttl-31'))).problems[0]?.message).toBe(
    'sessionttl must be one of 5, 30, 60, 120, 240 minutes for Premium.',
  );
  expect((await check(line.replace(':8000:', ':1:'))).problems[0]?.message).toContain('8000 for http or 9000 for socks5');
});

test('a password from before a reset is reported as old, with the time of the reset', async () => {
  const plan = await world.plan('acct_a');
  const line = await lineOf(plan);
  await resetAuthentication(world.as(owner), plan.id);
  expect((await check(line)).problems).toEqual([
    { code: 'PASSWORD_OLD', message: 'This password was replaced by a reset on 2026-01-15 12:00 UTC: generate new lines.' },
  ]);
  expect((await check(await lineOf(plan))).works).toBe(true);
});

test('a paused plan is reported with the end of its pause, a used up one as used up', async () => {
  const plan = await world.plan('acct_a');
  const line = await lineOf(plan);
  await setDailyLimit(world.as(owner), plan.id, GB);
  await world.use(plan, GB);
  expect((await check(line)).problems).toEqual([
    { code: 'PAUSED', message: 'The plan is paused until 2026-01-16 00:00 UTC by its Daily Usage Limit.' },
  ]);
  await world.use(plan, 9n * GB);
  expect(codes(await check(line))).toEqual(['EXPIRED']);
});

test("a line of a proxy user is judged by the user's password, places and limits, and by its plan", async () => {
  const plan = await world.plan('acct_a');
  const [user] = await createProxyUsers(world.as(owner), plan.id, [{ name: 'Shop', countries: ['de'], monthlyLimitBytes: GB }]);
  const own = await lineOf(plan);
  const password = revealUserPassword(world.as(owner), user as ProxyUser);
  const lineAt = (country: string) => own.replace(/[^:]+:[^:]+$/, `${user?.username}-country-${country}:${password}`);
  expect(await check(lineAt('de'))).toMatchObject({ works: true, planId: plan.id, country: 'de' });
  expect(codes(await check(lineAt('fr')))).toEqual(['USERNAME_INVALID']);
  expect(codes(await check(lineAt('de_fr')))).toEqual(['USERNAME_INVALID']);
  expect(codes(await check(`${lineAt('de')}x`))).toEqual(['PASSWORD_WRONG']);
  await world.use(plan, GB, { username: user?.username ?? '' });
  expect((await check(lineAt('de'))).problems).toEqual([
    { code: 'PAUSED', message: 'The limit of the proxy user Shop is reached: it goes on at 2026-02-01 00:00 UTC.' },
  ]);
});

test("another account's line gets the same answer as an unknown one, with its password or without", async () => {
  const plan = await world.plan('acct_a');
  const answer = await check(await lineOf(plan), sessionOf('acct_b'));
  expect([codes(answer), answer.planId, answer['country']]).toEqual([['USERNAME_UNKNOWN'], null, null]);
  expect(codesOf(await world.ask(anonymous, CHECK, { line: 'x' }))).toEqual(['session_invalid']);
  expect(codesOf(await world.ask(keyOf('acct_a', ['read']), CHECK, { line: 'x' }))).toEqual(['forbidden']);
});
