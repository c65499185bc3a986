// Every route of a subgraph, requested on the public port of a platform in one process and of one whose parts run in separate processes.
import { createHmac, randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { silentLog } from '#platform/log.ts';
import type { Route } from '#platform/route.ts';
import { sandboxTerms } from '#platform/sandbox-terms.ts';
import { SUBGRAPH_DEFINITIONS } from '../../all-subgraphs.ts';
import { createEdgePasses } from '../../edge/protocol/passes.ts';
import { createEdgeRoutes } from '../../edge/protocol/routes.ts';
import { remoteControlPlane } from '../../edge/remote-control-plane.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { importMachines } from '../../subgraphs/compute/machines/services/machine-inventory.ts';
import { seedUrl } from '../../subgraphs/compute/provisioning/services/seed-address.ts';
import { enrolEdge } from '../../subgraphs/residential/edges/services/edges.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { askAs } from '../kit/dashboard.ts';
import { rowOf, setRows } from '../kit/tables.ts';
import { type Customer, buyVps, customerOf, payOffer } from '../subgraphs/compute/bought-vps.ts';
import { type Deployment, createDeployment } from './deployment.ts';

const USAGE_SECRET = 'a secret of an upstream network';
const SECRET = 'a master secret that all test platforms have';

// Generous limits for a busy machine: parts start in seconds on an idle one.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 240_000 });

let stack: Stack;
let deployment: Deployment;
let owner: Customer;
let staffCookie: string;
let urls: readonly [together: string, apart: string];
/** A placeholder in capitals -> its value in paths and bodies. */
const made: Record<string, string> = {};

beforeAll(async () => {
  stack = await startStack({ environment: { USAGE_SOURCES: `upstream=${USAGE_SECRET}` } });
  const { config } = stack.platform;
  deployment = await createDeployment(
    { NODE_ENV: 'test', SECRET, SANDBOX_PORT: String(config.SANDBOX_PORT), USAGE_SOURCES: `upstream=${USAGE_SECRET}` },
    stack.database.url,
  );
  await seed();
  await Promise.all(SUBGRAPHS.map((name) => deployment.part(name)));
  await Promise.all([deployment.part('gateway', { PUBLIC_URL: deployment.url('gateway') }), deployment.part('adapter')]);
  urls = [stack.url, deployment.url('gateway')];
});
afterAll(async () => {
  await deployment.close();
  await stack.close();
});

/** Makes what the rows request: a customer with a plan, an invoice, a VPS, and a machine that is being provisioned. */
async function seed(): Promise<void> {
  owner = await customerOf(stack);
  const staff = await stack.seed.account({ role: 'STAFF' });
  staffCookie = await staff.cookie();
  // Marks the session as if it had passed a second factor.
  await setRows(stack.database.query, 'accounts.session', { strong_at: stack.clock.now() }, { account_id: staff.id });
  const holder = await stack.seed.account();
  const plan = await holder.residentialPlan({ gigabytes: 5 });
  Object.assign(made, {
    KEY: (await holder.apiKey()).authorization,
    PLAN: plan.id,
    USERNAME: plan.username,
    HOLDER: await holder.cookie(),
  });
  const { residentialProxies: batch } = await askAs(stack.url, made['HOLDER'] ?? '')<{ residentialProxies: { id: string } }>(
    'query ($plan: ID!) { residentialProxies(planId: $plan, input: { targeting: { pool: "Germany" }, session: ROTATING, quantity: 3 }) { id } }',
    { plan: plan.id },
  );
  const { proxyBatchMakeAddress } = await askAs(stack.url, made['HOLDER'] ?? '')<{ proxyBatchMakeAddress: { url: string } }>(
    'mutation ($id: ID!) { proxyBatchMakeAddress(id: $id) { url } }',
    batch,
  );
  made['LIST'] = new URL(proxyBatchMakeAddress.url).pathname;
  made['VPS'] = (await buyVps(stack, owner)).id;
  const { me } = await owner.ask<{ me: { invoices: { id: string }[] } }>('{ me { invoices { id } } }');
  made['INVOICE'] = me.invoices[0]?.id ?? '';
  await importMachines(stack.subgraphs.compute.systemContext('test'), [...stack.sandbox.controllers.inventory]);
  const { dedicatedOffer } = await owner.ask<{ dedicatedOffer: { token: string } }>(
    '{ dedicatedOffer(plan: FARADAY, months: 1, os: DEBIAN_13, hostname: "metal-1") { token } }',
  );
  const orderId = await payOffer(stack, owner, dedicatedOffer.token);
  // The sandbox's controller waits, so the operation keeps running.
  const server = await rowOf<{ id: string }>(stack.database.query, 'compute.server', { order_id: orderId });
  const operation = await rowOf<{ id: string }>(stack.database.query, 'compute.operation', { server_id: server?.id ?? '' });
  made['SEED'] = new URL(seedUrl(stack.subgraphs.compute.systemContext('test'), operation?.id ?? '')).pathname;
  made['NODE'] = `Bearer ${await enrolEdge(stack.subgraphs.residential.systemContext('test'), 'doors')}`;
}

const named = (text: string) =>
  text.replaceAll(/\b(?:KEY|PLAN|USERNAME|HOLDER|LIST|VPS|INVOICE|SEED|NODE)\b/g, (name) => made[name] ?? name);

/** A request, which is created anew for each platform, and the status that the platform in one process answers. */
type Row = [name: string, path: string, status: number, init?: () => RequestInit];
const json = (body: object | string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: named(typeof body === 'string' ? body : JSON.stringify(body)),
});
const as = (cookie: () => string | undefined) => () => ({ headers: { cookie: cookie() ?? '' } });
const node = () => ({ headers: { authorization: made['NODE'] ?? '' } });
const nodeAsks = (body: object) => () => json(body, node().headers);

function usageReport(): RequestInit {
  const line = { line: 0, username: made['USERNAME'], up_bytes: 10, down_bytes: 20, at: stack.clock.now().toISOString() };
  const body = JSON.stringify({ source: 'upstream', report_id: randomUUID(), lines: [line] });
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', USAGE_SECRET).update(`${at}.${body}`).digest('hex');
  return json(body, { 'egress-signature': `t=${at},v1=${signature}` });
}
function cardNotice(): RequestInit {
  const { config, secrets } = stack.platform;
  const payload = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type: 'invoice.created',
    data: { object: { id: 'in_1', object: 'invoice' } },
  });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: sandboxTerms(config, secrets).webhookSecret });
  return { method: 'POST', headers: { 'content-type': 'application/json', 'stripe-signature': signature }, body: payload };
}

function identityNotice(): RequestInit {
  const { config, secrets } = stack.platform;
  const at = String(Math.floor(Date.now() / 1_000));
  const body = JSON.stringify({ type: 'identity.started' });
  const secret = Buffer.from(sandboxTerms(config, secrets).identitySecret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', secret).update(`ntc_1.${at}.${body}`).digest('base64');
  return json(body, { 'webhook-id': 'ntc_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` });
}

const ROWS: Row[] = [
  ['evidence', `/support/evidence/disp_${'0'.repeat(26)}.pdf`, 403, as(() => owner.cookie)],
  ['evidence', `/support/evidence/disp_${'0'.repeat(26)}.pdf`, 401],
  ['invoices', '/invoices/INVOICE.pdf', 200, as(() => owner.cookie)],
  ['invoices', '/invoices/INVOICE.pdf', 404, as(() => made['HOLDER'])],
  ['account_data', '/account/data/account.json', 200, as(() => owner.cookie)],
  ['residential_data', '/account/data/residential.json', 200, as(() => owner.cookie)],
  ['static_data', '/account/data/static.json', 200, as(() => owner.cookie)],
  ['servers_data', '/account/data/servers.json', 200, as(() => owner.cookie)],
  ['finance', '/finance/journals.csv?from=2026-01-01&to=2026-01-31', 200, as(() => staffCookie)],
  ['finance', '/finance/journals.csv?from=2026-01-01&to=2026-01-31', 403, as(() => owner.cookie)],
  ['staff-acts', '/support/staff-acts.csv?from=2026-01-01&to=2026-01-31', 200, as(() => staffCookie)],
  ['staff-acts', '/support/staff-acts.csv?from=2026-01-01&to=2026-01-31', 403, as(() => owner.cookie)],
  ['identity-notices', '/identity/notices', 200, identityNotice],
  ['identity-notices', '/identity/notices', 400, () => ({ method: 'POST', headers: { 'webhook-id': 'ntc_1' }, body: '{}' })],
  ['webhooks', '/webhooks/card', 200, cardNotice],
  ['webhooks', '/webhooks/card', 400, () => ({ method: 'POST', headers: { 'stripe-signature': 't=1,v1=00' }, body: '{}' })],
  ['webhooks', '/webhooks/crypto', 400, () => ({ method: 'POST', headers: { 'btcpay-sig': 'sha256=00' }, body: '{}' })],
  ['oauth', '/.well-known/oauth-authorization-server', 200],
  ['oauth', '/oauth/register', 201, () => json({ redirect_uris: ['http://localhost:41999/callback'] })],
  ['oauth', '/oauth/register', 400, () => json('no JSON')],
  ['oauth', '/oauth/interactions/none', 401],
  ['oauth', '/oauth/interactions/none', 404, as(() => owner.cookie)],
  ['proxy-list', 'LIST', 200],
  ['proxy-list', `/lists/${'a'.repeat(43)}.txt`, 404],
  ['visitor', '/visitor', 200],
  ['visitor', '/visitor', 405, () => json({})],
  ['user-page', `/use/${'a'.repeat(43)}`, 404],
  ['user-page', `/use/${'a'.repeat(43)}.json`, 404],
  ['usage-export', '/residential/PLAN/usage.csv', 200, as(() => made['HOLDER'])],
  ['usage-export', '/residential/PLAN/usage.csv', 404, as(() => owner.cookie)],
  ['request-export', '/residential/PLAN/requests.csv', 200, as(() => made['HOLDER'])],
  ['request-export', '/residential/PLAN/requests.csv?from=never', 400, as(() => made['HOLDER'])],
  ['request-export', '/residential/PLAN/requests.csv', 404, as(() => owner.cookie)],
  ['usage-reports', '/usage-reports', 200, usageReport],
  ['usage-reports', '/usage-reports', 400, () => json({})],
  ['machine-seeds', 'SEED', 200],
  ['machine-seeds', 'SEED', 206, () => ({ headers: { range: 'bytes=32768-34815' } })],
  ['machine-seeds', 'SEED', 200, () => ({ method: 'HEAD' })],
  ['machine-seeds', '/machine-seeds/none', 404],
  ['edge-sync', '/edge/sync', 200, nodeAsks({ reports: [], wants: [{ planId: 'PLAN', epoch: 99, bytes: 1, starved: false }] })],
  ['edge-sync', '/edge/sync', 400, nodeAsks({ nothing: true })],
  ['edge-sync', '/edge/sync', 401, () => json({ reports: [], wants: [] })],
  ['edge-sync', '/edge/sync', 405, node],
  ['edge-requests', '/edge/requests', 200, nodeAsks({ id: 'NODE', requests: [], gaps: [{ subject: 'PLAN', requests: 1 }] })],
  ['edge-requests', '/edge/requests', 400, nodeAsks({ nothing: true })],
  ['edge-requests', '/edge/requests', 401, () => json({ id: 'x', requests: [], gaps: [] })],
  ['edge-plan', '/edge/plan?username=USERNAME', 200, node],
  ['edge-plan', '/edge/plan?username=USERNAME', 401],
  ['edge-plans', '/edge/plans', 200, nodeAsks({ usernames: ['USERNAME', 'nobody'] })],
  ['edge-claims', '/edge/claims', 200, nodeAsks([])],
  ['edge-gateways', '/edge/gateways', 200, node],
  ['edge-gateways', '/edge/gateways', 401],
  ['edge-networks', '/edge/networks', 200, node],
  ['edge-networks', '/edge/networks', 401],
  ['edge-status', '/edge/status', 400, nodeAsks({})],
  ['edge-static-plans', '/edge/static-plans', 200, node],
  ['edge-static-plans', '/edge/static-plans', 401],
  ['edge-static-plans', '/edge/static-plans', 401, () => ({ headers: { authorization: 'Bearer egress_edge_nobody_has_this' } })],
  ['edge-static-networks', '/edge/static-networks', 200, nodeAsks({ used: ['net_nobody'] })],
  ['edge-static-networks', '/edge/static-networks', 400, nodeAsks({})],
  ['edge-static-networks', '/edge/static-networks', 401, () => json({ used: [] })],
  ['edge-feed', '/edge/feed', 401],
  ['edge-pass', '/edge/pass', 401],
];

/** Retry times may differ between two answers, as time passes. */
const WAIT = /"retryAfterSeconds":\d+/g;
/** A registered client has an id of its own, and metadata name the platform that was asked. */
const OWN = /"client_id":"[^"]+"|"client_id_issued_at":\d+|http:\/\/127\.0\.0\.1:\d+/g;
const alike = (text: string) =>
  text
    .replaceAll(/req_[0-9a-z]{26}/g, 'req')
    .replaceAll(WAIT, '')
    .replaceAll(OWN, '');

async function ask(url: string, path: string, init: RequestInit) {
  const answer = await fetch(url + named(path), init);
  const text = (await answer.text()).trimEnd();
  const id = /"requestId":"([^"]+)"/.exec(text)?.[1];
  return {
    status: answer.status,
    headers: [
      'content-type',
      'content-length',
      'content-range',
      'accept-ranges',
      'cache-control',
      'content-disposition',
      'retry-after',
      'allow',
    ].map((name) => [
      name,
      name === 'content-length' && text.includes('"retryAfterSeconds"') ? 'by its seconds' : answer.headers.get(name),
    ]),
    body: alike(text),
    // The request id in the body is that of the header.
    quoted: id === undefined || id === answer.headers.get('x-request-id'),
  };
}

test.each(ROWS)('%s: %s is %i in both', async (_, path, status, init = () => ({})) => {
  const [together, apart] = await Promise.all(urls.map((url) => ask(url, path, init())));
  expect(together).toMatchObject({ status, quoted: true });
  expect(apart).toEqual(together);
});

test('every route of a subgraph has a row', () => {
  const parts = { ...stack.platform, ask: undefined, session: undefined, onAccessChange: () => () => {}, checkOrigin: () => {} } as never;
  const routes: Route[] = [
    ...SUBGRAPHS.flatMap((name) => {
      const { doors }: { doors?: (given: never) => { routes?: readonly Route[] } } = SUBGRAPH_DEFINITIONS[name];
      return [...(doors?.(parts).routes ?? []), ...stack.subgraphs[name].routes];
    }),
    ...createEdgeRoutes({
      ...stack.subgraphs.residential.parts,
      ...stack.subgraphs.static.parts,
      passes: createEdgePasses(stack.platform.secrets.edges, stack.clock),
    }),
  ];
  const pathnames = new Map(ROWS.map(([name, path]) => [name, new URL(named(path), 'http://x').pathname]));
  expect(new Set(routes.map(({ name }) => name))).toEqual(new Set(pathnames.keys()));
  for (const { name = '', matches } of routes) expect([name, matches(pathnames.get(name) ?? '')]).toEqual([name, true]);
});

test('a node needs only the gateway’s address: for plans, static plans, and the updates of both', async () => {
  const control = remoteControlPlane({ url: urls[1], key: (made['NODE'] ?? '').replace('Bearer ', ''), log: silentLog });
  expect((await control.plan(made['USERNAME'] ?? ''))?.planId).toBe(made['PLAN']);
  expect(await control.staticPlans()).toEqual([]);
  const [beat, changed, statics] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<string>(),
    Promise.withResolvers<string | undefined>(),
  ];
  const stop = control.follow({
    changed: ({ planId }) => changed.resolve(planId),
    staticChanged: statics.resolve,
    beat: beat.resolve,
    lost: () => {},
  });
  await beat.promise;
  await stack.database.query(`select pg_notify('egress_static_lines', 'isp_1')`);
  expect(await statics.promise).toBe('isp_1');
  await fetch(`${urls[1]}/graphql`, {
    ...json(
      { query: `mutation { residentialPlanSetDailyLimit(id: "PLAN", dailyLimitBytes: "2000000000") { id } }` },
      {
        cookie: made['HOLDER'] ?? '',
        origin: urls[1],
      },
    ),
  });
  expect(await changed.promise).toBe(made['PLAN']);
  stop();
});

test.each([0, 1] as const)('a console opens at both, and refuses others in the same way (%i)', async (at) => {
  const url = urls[at];
  const open = (path: string, headers: Record<string, string>) =>
    new Promise<WebSocket | number>((resolve) => {
      const socket = new WebSocket(url.replace('http', 'ws') + path, ['binary'], { headers: { origin: url, ...headers } });
      socket.on('error', () => {});
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.once('open', () => resolve(socket));
    });
  const { cookie } = owner;
  const { vpsOpenConsole } = await owner.ask<{ vpsOpenConsole: { path: string } }>(
    'mutation ($id: ID!) { vpsOpenConsole(id: $id, kind: TEXT) { path } }',
    { id: made['VPS'] },
  );
  expect(await open(vpsOpenConsole.path, {})).toBe(401);
  expect(await open(`${vpsOpenConsole.path}x`, { cookie })).toBe(403);
  const socket = await open(vpsOpenConsole.path, { cookie });
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
  const said = new Promise<string>((resolve) => {
    let text = '';
    socket.on('message', (data) => (text += String(data)).includes('login: ') && resolve(text));
  });
  socket.send(JSON.stringify({ columns: 100, rows: 30 }));
  expect(await said).toContain('web-1 login: ');
  socket.terminate();
});
