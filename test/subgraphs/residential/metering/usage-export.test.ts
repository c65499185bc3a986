import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveUsageReport } from '../../../../subgraphs/residential/metering/services/receive-usage-report.ts';
import { askAs } from '../../../kit/dashboard.ts';
import type { SeededAccount } from '../../../kit/seed.ts';
import { type Stack, startStack } from '../../../kit/stack.ts';

let stack: Stack;
let owner: SeededAccount;
let cookie: string;
let plan: { id: string; username: string };
beforeAll(async () => {
  stack = await startStack();
  owner = await stack.seed.account();
  cookie = await owner.cookie();
  plan = await owner.residentialPlan();
  const at = stack.clock.now();
  const line = { username: plan.username, upBytes: 1n, at, client: '192.0.2.1' };
  await receiveUsageReport(stack.subgraphs.residential.systemContext('test'), {
    source: 'network',
    reportId: '1',
    lines: [
      { ...line, line: 0, downBytes: 30n, host: '=cmd(),"x"', country: 'us' },
      { ...line, line: 1, downBytes: 20n, host: 'b.test', country: 'us' },
      { ...line, line: 2, downBytes: 10n, country: 'de' },
    ],
  });
});
afterAll(() => stack?.close());

const get = (query: string, over: { cookie?: string; id?: string; format?: string; method?: string } = {}) =>
  fetch(`${stack.url}/residential/${over.id ?? plan.id}/usage.${over.format ?? 'csv'}?${query}`, {
    method: over.method ?? 'GET',
    headers: { Cookie: over.cookie ?? cookie },
  });

test('a CSV file has every share in a row of its own, and no cell that a spreadsheet would run', async () => {
  const answer = await get('by=host');
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="usage-${plan.id}-by-host.csv"`,
    'cache-control': 'no-store',
  });
  expect(await answer.text()).toBe('host,up_bytes,down_bytes,total_bytes\r\n"\'=cmd(),""x""",1,30,31\r\nb.test,1,20,21\r\n,1,10,11\r\n');
});

test('a JSON file has the span and the sum, by days unless something else is requested', async () => {
  const answer = await get('', { format: 'json' });
  const day = stack.clock.now().toISOString().slice(0, 10);
  expect(await answer.json()).toMatchObject({
    plan_id: plan.id,
    by: 'day',
    total_bytes: '63',
    rows: [{ day, up_bytes: '3', down_bytes: '60', total_bytes: '63' }],
    others: { values: 0, total_bytes: '0' },
  });
  const countries = (await (await get('by=country', { format: 'json' })).json()) as { rows: object[] };
  expect(countries.rows).toMatchObject([
    { country: 'us', total_bytes: '52' },
    { country: 'de', total_bytes: '11' },
  ]);
});

test('a span contains only the usage within it', async () => {
  const at = stack.clock.now().getTime();
  const earlier = `from=${new Date(at - 1000).toISOString()}&to=${new Date(at).toISOString()}`;
  expect(await (await get(`by=client&${earlier}`)).text()).toBe('client,up_bytes,down_bytes,total_bytes\r\n');
  expect(await (await get(`by=client&from=${new Date(at).toISOString()}`)).text()).toContain('192.0.2.1,3,60,63');
});

test('401 without a session, 404 for another account, 400 for invalid parameters, 405 for another method', async () => {
  const stranger = await (await stack.seed.account()).cookie();
  const refused = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];
  expect(await refused(await get('', { cookie: '' }))).toEqual([401, 'session_invalid']);
  expect(await refused(await get('', { cookie: stranger }))).toEqual([404, 'plan_not_found']);
  expect(await refused(await get('', { id: `plan_${'0'.repeat(26)}` }))).toEqual([404, 'plan_not_found']);
  for (const query of ['by=nothing', 'by=constructor', 'from=yesterday', 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'])
    expect(await refused(await get(query)), query).toEqual([400, 'parameter_invalid']);
  expect(await refused(await get('', { method: 'POST' }))).toEqual([405, 'method_not_allowed']);
});

test('a file of all plans has those of other plans too, by days that are named, and of one product', async () => {
  const other = await owner.residentialPlan();
  const at = stack.clock.now();
  await receiveUsageReport(stack.subgraphs.residential.systemContext('test'), {
    source: 'network',
    reportId: '2',
    lines: [{ line: 0, username: other.username, upBytes: 0n, downBytes: 500n, at, country: 'de' }],
  });
  const today = at.toISOString().slice(0, 10);
  const together = (query: string, format = 'csv') =>
    fetch(`${stack.url}/residential/usage.${format}?from=${today}&to=${today}&${query}`, { headers: { Cookie: cookie } });
  const plans = await together('by=plan');
  expect(plans.headers.get('content-disposition')).toBe('attachment; filename="usage-by-plan.csv"');
  expect(await plans.text()).toBe(`plan,up_bytes,down_bytes,total_bytes\r\n${other.id},0,500,500\r\n${plan.id},3,60,63\r\n`);
  expect(await (await together('by=country', 'json')).json()).toMatchObject({ by: 'country', total_bytes: '563' });
  expect(await (await together('by=country&product=MOBILE', 'json')).json()).toMatchObject({ total_bytes: '0', rows: [] });
  for (const query of ['by=country&product=NONE', 'from=2026-02-30', 'by=galaxy']) {
    const answer = await fetch(`${stack.url}/residential/usage.csv?${query}&to=${today}`, { headers: { Cookie: cookie } });
    expect([query, answer.status]).toEqual([query, 400]);
  }
});

test('a file by host says in its name, and JSON in itself, that hosts are kept hashed or not at all', async () => {
  expect(await (await get('by=host', { format: 'json' })).json()).toMatchObject({ by: 'host', hosts: 'plain' });
  await askAs(stack.url, cookie)('mutation { usageHostsChoose(kept: HASHED) { kept } }');
  const file = await get('by=host');
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="usage-${plan.id}-by-host-hashed.csv"`);
  expect(await (await get('by=host', { format: 'json' })).json()).toMatchObject({ by: 'host', hosts: 'hashed' });
  expect((await get('by=country')).headers.get('content-disposition')).toBe(`attachment; filename="usage-${plan.id}-by-country.csv"`);
});
