import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROXY_MENDING } from '../../../../schema/codes/mending.ts';
import { receiveRequests } from '../../../../subgraphs/residential/requests/services/receive-requests.ts';
import { type Stack, startStack } from '../../../kit/stack.ts';
import { askAs } from '../../../kit/dashboard.ts';

let stack: Stack;
let cookie: string;
let plan: { id: string; username: string };
const MANY = 1_003;
beforeAll(async () => {
  stack = await startStack();
  const owner = await stack.seed.account();
  cookie = await owner.cookie();
  plan = await owner.residentialPlan();
  await askAs(stack.url, cookie)('mutation ($id: ID!) { residentialPlanSetRequestLog(id: $id, mode: WHOLE) { id } }', { id: plan.id });
  const at = stack.clock.now().getTime();
  const request = { subject: plan.id, at, durationMs: 5, port: 443, status: 200, up: 1, down: 2, country: 'de' };
  await receiveRequests(stack.subgraphs.residential.systemContext('test'), 'edge-1', {
    id: 'batch',
    requests: [
      ...Array.from({ length: MANY }, (_, index) => ({ ...request, host: `${index}.test` })),
      { ...request, host: '=cmd(),"x"', status: 502, error: 'target_refused', session: '00000001' },
    ],
    gaps: [],
  });
});
afterAll(() => stack?.close());

const get = (query: string, over: { cookie?: string; id?: string; method?: string } = {}) =>
  fetch(`${stack.url}/residential/${over.id ?? plan.id}/requests.csv?${query}`, {
    method: over.method ?? 'GET',
    headers: { Cookie: over.cookie ?? cookie },
  });

test('a CSV file has all requests, the newest first, and no cell that a spreadsheet would run', async () => {
  const answer = await get('');
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="requests-${plan.id}.csv"`,
    'cache-control': 'no-store',
  });
  const lines = (await answer.text()).trimEnd().split('\r\n');
  expect(lines).toHaveLength(MANY + 2);
  expect(lines[0]).toBe('at,duration_ms,host,port,status,up_bytes,down_bytes,country,state,city,session,user_id,error,message,hint');
  expect(lines[1]).toContain('"\'=cmd(),""x""",443,502,1,2,de,,,00000001,,target_refused,');
  expect(lines[1]).toContain(PROXY_MENDING.target_refused.en.split(':')[0]);
  expect(new Set(lines).size).toBe(MANY + 2);
});

test('it is filtered as the page is', async () => {
  const hosts = async (query: string) => (await (await get(query)).text()).trimEnd().split('\r\n').slice(1);
  expect(await hosts('failed=1')).toHaveLength(1);
  expect(await hosts('host=7.test')).toHaveLength(1);
  expect(await hosts('status=502&error=target_refused&session=00000001')).toHaveLength(1);
  expect(await hosts('user=user_1')).toEqual([]);
  expect((await get('status=fine')).status).toBe(400);
  expect((await get('from=yesterday')).status).toBe(400);
});

test('only the owner gets it', async () => {
  const other = await (await stack.seed.account()).cookie();
  expect((await get('', { cookie: other })).status).toBe(404);
  expect((await get('', { cookie: '' })).status).toBe(401);
  const head = await get('', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await get('', { method: 'POST' })).status).toBe(405);
});
