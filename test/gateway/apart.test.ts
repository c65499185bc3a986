// The same platform behind two gateways, one with the subgraphs in its process and one that reaches them over HTTP: clients see no difference.
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { askerOf } from '#platform/ask.ts';
import { systemViewer } from '#platform/identity.ts';
import { silentLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { serveSubgraph } from '#platform/serve.ts';
import { SUBGRAPH_DEFINITIONS } from '../../all-subgraphs.ts';
import { contractOf } from '../../schema/contracts.ts';
import { SUBGRAPHS, type SubgraphName } from '../../schema/subgraphs.ts';
import { DOCS } from '../rest-adapter/docs-options.ts';
import { type GatewayServer, startGateway } from '../../gateway/server.ts';
import { remoteSource } from '../../gateway/graph/sources/remote.ts';
import type { Source } from '../../gateway/graph/sources/source.ts';
import { localGraph } from '../../rest-adapter/graph.ts';
import { createRestRoutes } from '../../rest-adapter/server.ts';
import { receiveUsageReport } from '../../subgraphs/residential/metering/services/receive-usage-report.ts';
import { freePorts } from '../kit/ports.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { until } from './world.ts';

let stack: Stack;
let apart: GatewayServer;
let urls: [together: string, apart: string];
const ports = {} as Record<SubgraphName, string>;
const sources = {} as Record<SubgraphName, Source>;
const closings: (() => Promise<void>)[] = [];
let owner: SeededAccount;
let plan: { id: string; username: string };
let foreign: { id: string };
let authorization: string;
let cookie: string;

/** The contracts are asked for at intervals, which no test waits for. */
const FOLLOWING = { GRAPH_POLL_SECONDS: 3_600 };

beforeAll(async () => {
  stack = await startStack();
  const { config, clock, secrets } = stack.platform;
  for (const [name, subgraph] of Object.entries(stack.subgraphs)) {
    const served = await serveSubgraph(subgraph, {
      port: 0,
      host: '127.0.0.1',
      secret: secrets.identity,
      clock,
      log: silentLog,
      routes: subgraph.routes,
    });
    ports[name as SubgraphName] = new URL(served.url).origin;
    sources[name as SubgraphName] = remoteSource(served.url, secrets.identity, clock, { log: silentLog, audience: name });
    closings.push(served.close);
  }
  const port = await freePorts(1);
  apart = await startGateway({
    config: { ...config, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...FOLLOWING },
    isApart: true,
    vendors: stack.platform.vendors,
    clock,
    log: silentLog,
    metrics: createMetrics(),
    sources,
    subgraphs: SUBGRAPH_DEFINITIONS,
    checks: {},
    sandbox: null,
    proxyHost: 'localhost',
    connectionsPerPlan: 1_000,
    mount: ({ gateway, access }) =>
      createRestRoutes({
        graph: localGraph(gateway, access),
        log: silentLog,
        config: { PUBLIC_URL: config.PUBLIC_URL, BRAND: 'Egress' },
        docs: DOCS,
      }),
  });
  closings.unshift(apart.close);
  urls = [stack.url, apart.url];
  owner = await stack.seed.account();
  plan = await owner.residentialPlan({ gigabytes: 5 });
  foreign = await (await stack.seed.account()).residentialPlan();
  ({ authorization } = await owner.apiKey());
  cookie = await owner.cookie();
});
afterAll(async () => {
  for (const close of closings) await close();
  await stack.close();
});

/** Both gateways' answers to a request, without the parts that differ between any two requests. */
async function both(path: string, init: RequestInit = {}) {
  return Promise.all(
    urls.map(async (url) => {
      const response = await fetch(`${url}${path}`, init);
      const text = await response.text();
      const body = JSON.parse(text.replaceAll(/req_[0-9a-z]{26}/g, 'req').replaceAll(/"asOf":"[^"]+"/g, '"asOf":""')) as {
        errors?: object[];
      };
      // The order of errors is not defined, as subgraphs fail in parallel.
      body.errors?.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
      return { status: response.status, body };
    }),
  );
}
const graphql = (query: string, headers: Record<string, string>, variables: object = {}) =>
  both('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });

describe('alike in both:', () => {
  test.each([
    ['/v1/residential'],
    ['/v1/residential/PLAN/usage'],
    ['/v1/residential/PLAN/statistics'],
    ['/v1/residential/FOREIGN/usage'],
    ['/v1/residential/PLAN/proxies?sticky=maybe&pool=US&quantity=1'],
    ['/v1/residential/PLAN/proxies?sticky=true&pool=Atlantis&quantity=1'],
    ['/v1/residential/PLAN/proxies?sticky=true&pool=US&quantity=1&time=7'],
    ['/v1/static/isp'],
    ['/v1/subscriptions'],
    ['/v1/nothing'],
  ])('GET %s', async (path) => {
    const [together, separate] = await both(path.replace('PLAN', plan.id).replace('FOREIGN', foreign.id), { headers: { authorization } });
    expect(separate).toEqual(together);
  });

  test('a generation, but for its session numbers', async () => {
    const answers = await both(`/v1/residential/${plan.id}/proxies?sticky=true&pool=US&quantity=10000`, { headers: { authorization } });
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect((body as { data: { count: number } }).data.count).toBe(10_000);
    }
  });

  test.each([[{}], [{ authorization: 'Bearer nonsense' }], [{ authorization: 'Basic x' }]])(
    'GET /v1/residential with %j',
    async (headers) => {
      const [together, separate] = await both('/v1/residential', { headers: headers as Record<string, string> });
      expect(together?.status).toBe(401);
      expect(separate).toEqual(together);
    },
  );

  test.each([
    [
      'a join',
      '{ me { id email } residentialPlans { id product { name prices { fromGb perGb { amountMinor } } } account { id email role } } }',
    ],
    ['another account’s plan', 'query ($foreign: ID!) { residentialPlan(id: $foreign) { id } }'],
    ['a failure inside', 'query ($plan: ID!) { residentialPlans { id } residentialPlan(id: $plan) { days(last: 1000) { on } } }'],
    ['a wrong scalar', 'mutation ($plan: ID!) { residentialPlanSetDailyLimit(id: $plan, dailyLimitBytes: "lots") { id } }'],
    ['a refused change', 'mutation ($plan: ID!) { residentialPlanSetDailyLimit(id: $plan, dailyLimitBytes: "5") { id } }'],
    [
      'a change',
      'mutation ($plan: ID!) { residentialPlanSetDailyLimit(id: $plan, dailyLimitBytes: "2000000000") { id dailyLimitBytes account { email } } }',
    ],
    ['what is not in the graph', '{ callerOfApiKey(key: "x") { accountId } }'],
    ['products', '{ residentialProducts { code name sessionMinutes } proxyPools { code kind } }'],
  ])('%s, for the owner, a key and nobody', async (_, query) => {
    for (const headers of [{ cookie }, { authorization }, {}] as Record<string, string>[]) {
      const used = { plan: plan.id, foreign: foreign.id };
      const [together, separate] = await graphql(
        query,
        headers,
        Object.fromEntries(Object.entries(used).filter(([name]) => query.includes(`$${name}`))),
      );
      expect(separate).toEqual(together);
    }
  });
});

test('a subscription on each brings the figures now, and again when bytes are counted', async () => {
  const seen = urls.map((url) => {
    const results: { data: { residentialUsageChanged: { planId: string; usedBytes: string } } }[] = [];
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization },
    });
    closings.unshift(async () => client.dispose());
    client.subscribe(
      { query: 'subscription ($plan: ID!) { residentialUsageChanged(planId: $plan) { planId usedBytes } }', variables: { plan: plan.id } },
      { next: (result) => results.push(result as never), error: () => {}, complete: () => {} },
    );
    return results;
  });
  await until(() => seen.every((results) => results.length > 0));
  const line = { line: 0, username: plan.username, upBytes: 1_000n, downBytes: 2_000n, at: stack.clock.now() };
  await receiveUsageReport(stack.subgraphs.residential.systemContext('test'), { source: 'test', reportId: 'one', lines: [line] });
  await until(() => seen.every((results) => results.at(-1)?.data.residentialUsageChanged.usedBytes === '3000'));
  expect(seen.map((results) => results.at(-1))).toEqual(
    [0, 1].map(() => ({ data: { residentialUsageChanged: { planId: plan.id, usedBytes: '3000' } } })),
  );
});

test('each subgraph tells a gateway its contract as it is written, and a gateway that follows them says whether it can', async () => {
  for (const name of SUBGRAPHS) {
    const viewer = systemViewer('contracts', 'req_contracts');
    const { _service: service } = await askerOf(sources[name])<{ _service: { sdl: string } }>('{ _service { sdl } }', {}, viewer);
    expect([name, service.sdl === contractOf(name)]).toEqual([name, true]);
  }
  expect(await (await fetch(`${urls[1]}/health/ready`)).json()).toMatchObject({ checks: { contracts: true } });
});

test('a session of one gateway is valid at the other, until it ends at either', async () => {
  const origin = (url: string) => ({ 'content-type': 'application/json', origin: url });
  const entered = await fetch(`${urls[1]}/auth/sign-in`, {
    method: 'POST',
    headers: origin(urls[1]),
    body: JSON.stringify({ email: owner.email, password: owner.password }),
  });
  expect(await entered.json()).toMatchObject({ accountId: owner.id });
  const session = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const [together, separate] = await graphql('{ me { id } }', { cookie: session });
  expect([together?.body, separate?.body]).toEqual([{ data: { me: { id: owner.id } } }, { data: { me: { id: owner.id } } }]);
  await fetch(`${urls[0]}/auth/sign-out`, { method: 'POST', headers: { ...origin(urls[0]), cookie: session }, body: '{}' });
  for (const { body } of await graphql('{ me { id } }', { cookie: session })) expect(body).toEqual({ data: { me: null } });
});

test('a subgraph’s own route works at each: it queries its subgraph over the graph', async () => {
  const file = async (path: string, init: RequestInit = {}) => {
    const answers = await Promise.all(urls.map((url) => fetch(`${url}${path}`, { headers: { cookie }, ...init })));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    return answers.map(({ status, headers }, index) => [
      status,
      headers.get('content-type'),
      bodies[index]?.replaceAll(/req_[0-9a-z]{26}/g, 'req'),
    ]);
  };
  const [together, separate] = await file(`/residential/${plan.id}/usage.csv`);
  expect(together?.slice(0, 2)).toEqual([200, 'text/csv; charset=utf-8']);
  expect(separate).toEqual(together);
  for (const [path, init, status] of [
    [`/residential/${foreign.id}/usage.csv`, {}, 404],
    [`/residential/${plan.id}/requests.csv`, {}, 200],
    [`/residential/${foreign.id}/requests.csv`, {}, 404],
    [`/residential/${plan.id}/usage.csv`, { headers: {} }, 401],
    [`/invoices/inv_${'0'.repeat(26)}.pdf`, {}, 404],
    [`/lists/${'a'.repeat(43)}.txt`, {}, 404],
    ['/webhooks/card', { method: 'POST', headers: { 'stripe-signature': 't=1,v1=00' }, body: '{}' }, 400],
    ['/usage-reports', { method: 'POST', body: '{}' }, 400],
  ] as [string, RequestInit, number][]) {
    const [one, other] = await file(path, init);
    expect([path, one?.[0]]).toEqual([path, status]);
    expect(other).toEqual(one);
  }
});

test('a path that a subgraph answers itself is on the public port of one process, and on its own in many', async () => {
  for (const base of [urls[0], ports.compute]) {
    const answer = await fetch(`${base}/machine-seeds/none`);
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'route_not_found' })]);
  }
});
