// A test of a static line sends a real request: through a real node, from exactly that address, to a page that tells what it saw.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLineSender } from '#lines/line-sender.ts';
import { readProxyLine } from '#lines/read-proxy-line.ts';
import { DAY } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import { applyPlanEvent } from '../../subgraphs/static/plans/services/apply-plan-event.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { addNetwork, setLogIn } from '../../subgraphs/static/plans/services/plan-networks.ts';
import { rotatePassword } from '../../subgraphs/static/plans/services/plan-settings.ts';
import { certify } from '../kit/certificate.ts';
import { keyOf, sessionOf } from '../kit/platform.ts';
import { freePorts } from '../kit/ports.ts';
import { type AnsweringPage, ok, startAnsweringPage } from './answering-page.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';

const IPS: [string, ...string[]] = [
  '127.0.0.81',
  '127.0.0.82',
  '127.0.0.83',
  '127.0.0.84',
  '127.0.0.85',
  '127.0.0.86',
  '127.0.0.87',
  '127.0.0.88',
];

let page: AnsweringPage;
let world: PlatformWorld;
let directory: string;
let ca: string;
let [plain, secure] = [0, 0];
let graph: ReturnType<typeof createSubgraphRunner>;
let told: () => number;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'egress-static-line-test-'));
  const files = certify(directory, IPS);
  ca = readFileSync(files.certFile, 'utf8');
  page = await startAnsweringPage();
  [plain, secure] = [await freePorts(1), await freePorts(1)];
  world = await startPlatformWorld({ STATIC_HTTPS_PORT: String(secure), LINE_TEST_URL: `http://127.0.0.1:${page.port}/` });
  const demoTarget = { address: '127.0.0.1', port: page.port };
  const edge = await world.remoteEdge('far', { demoTarget, secure: { listen: [], ...files } });
  told = () => edge.figures().staticLines;
  const rows = IPS.map((ip) => `${ip},${plain},isp-northline,Hamburg`);
  await importInventory(world.statics.systemContext('test'), ['ip,port,product,location', ...rows].join('\n'));
  graph = createSubgraphRunner(world.statics, silentLog);
});
afterAll(async () => {
  await world?.close();
  page?.server.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => page.reset());

let sold = 0;
/** A plan of one address, of an account of its own, so that nobody's tests use up another's budget. */
async function newPlan() {
  const number = ++sold;
  const before = told();
  const accountId = `acct_static_line_${number}`;
  const at = world.residential.clock.now();
  const id = await createPlan(world.statics.systemContext('test'), {
    orderId: `ord_${number}`,
    accountId,
    subscriptionId: `sub_${number}`,
    productId: 'isp-northline',
    quantity: 1,
    billing: { version: 1, periodStart: at, periodEnd: new Date(at.getTime() + 30 * DAY) },
  });
  await world.residential.platform.queue.drain();
  await expect.poll(told).toBe(before + 1);
  const { data, errors } = await graph.execute({ query: '{ staticPlans { items { id lines { ip line httpsLine } } } }' }, keyOf(accountId));
  expect(errors).toBeUndefined();
  const [plan] = (data as { staticPlans: { items: { lines: { ip: string; line: string; httpsLine: string }[] }[] } }).staticPlans.items;
  return { id, accountId, owner: world.statics.context(sessionOf(accountId)), ...(plan?.lines[0] ?? expect.unreachable()) };
}
type Plan = Awaited<ReturnType<typeof newPlan>>;

const TEST = `mutation ($line: String!) { test: staticLineTest(line: $line) {
  works planId ip location isSent protocol connectMs firstByteMs status exit { address country city } placeSource
  problems { code message reasonCode } fault { code message hint params } } }`;
const ask = ({ accountId }: Plan, line: string, scopes?: ['read']) =>
  graph.execute({ query: TEST, variables: { line } }, keyOf(accountId, scopes));
// oxlint-disable-next-line typescript/no-explicit-any
async function testLine(plan: Plan, line: string): Promise<any> {
  const { data, errors } = await ask(plan, line);
  expect(errors).toBeUndefined();
  return (data as { test: unknown }).test;
}
const asUrl = (line: string, scheme: string) => line.replace(/^(.*?:\d+):(.*)$/, `${scheme}://$2@$1`);

test('a line that works tells the address that was seen, its place and times, over HTTP and SOCKS5', async () => {
  const plan = await newPlan();
  for (const [line, protocol] of [
    [plan.line, 'HTTP'],
    [asUrl(plan.line, 'socks5'), 'SOCKS5'],
  ] as const) {
    const seen = await testLine(plan, line);
    expect(seen).toMatchObject({ works: true, isSent: true, protocol, status: 200, fault: null, problems: [], placeSource: null });
    expect(seen).toMatchObject({ planId: plan.id, ip: plan.ip, location: 'Hamburg', exit: { address: plan.ip, country: null } });
    expect([seen.connectMs > 0, seen.firstByteMs >= seen.connectMs]).toEqual([true, true]);
  }
  expect(page.requests).toHaveLength(2);
  page.answer = (ip) => ok(JSON.stringify({ ip, country: 'DE', city: 'Hamburg' }));
  expect(await testLine(plan, plan.line)).toMatchObject({ works: true, exit: { country: 'de', city: 'Hamburg' }, placeSource: 'TARGET' });
});

test('over HTTPS the certificate is judged as a client judges it', async () => {
  const plan = await newPlan();
  expect(plan.httpsLine).toMatch(new RegExp(`^${plan.ip}:${secure}:`));
  const untrusted = { works: false, isSent: true, protocol: 'HTTPS', fault: { code: 'line_test_certificate' } };
  expect(await testLine(plan, plan.httpsLine)).toMatchObject(untrusted);
  expect(await testLine(plan, asUrl(plan.httpsLine, 'https'))).toMatchObject(untrusted);
  const [host = '', port, username = '', password = ''] = plan.httpsLine.split(':');
  const send = createLineSender({ url: `http://127.0.0.1:${page.port}/`, ca });
  const sent = await send({ host, port: Number(port), username, password, protocol: 'HTTPS' }, AbortSignal.timeout(5_000));
  expect(sent).toMatchObject({ status: 200, exit: { address: plan.ip }, fault: null });
});

test('lists of clients never shut a test out', async () => {
  const plan = await newPlan();
  await addNetwork(plan.owner, plan.id, { network: '198.51.100.0/24' });
  await setLogIn(plan.owner, plan.id, true);
  expect(await testLine(plan, plan.line)).toMatchObject({ works: true });
});

test('an address that the target does not see is told, and how to mend it', async () => {
  const plan = await newPlan();
  page.answer = () => ok(JSON.stringify({ address: '192.0.2.1' }));
  const fault = {
    code: 'static_line_test_strange',
    params: { asked: plan.ip, seen: '192.0.2.1' },
    message: expect.stringMatching('exchange'),
  };
  expect(await testLine(plan, plan.line)).toMatchObject({ works: false, isSent: true, exit: { address: '192.0.2.1' }, fault });
  page.answer = () => 'HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n';
  expect(await testLine(plan, plan.line)).toMatchObject({ works: false, status: 503, fault: { code: 'line_test_page' } });
});

test('nothing is sent to what is not of the account, or with what lets nobody in', async () => {
  const [plan, other] = [await newPlan(), await newPlan()];
  const [host = '', port = '', username = '', password = ''] = plan.line.split(':');
  const unsent: [string, string][] = [
    ['what is this', 'UNREADABLE'],
    [other.line, 'USERNAME_UNKNOWN'],
    [`${other.ip}:${port}:${username}:${password}`, 'ADDRESS_UNKNOWN'],
    [`127.0.0.1:${page.port}:${username}:${password}`, 'ADDRESS_UNKNOWN'],
    [`${host}:${page.port}:${username}:${password}`, 'PORT_WRONG'],
    [`${host}:${port}:${username}:${password}x`, 'PASSWORD_WRONG'],
  ];
  for (const [typed, code] of unsent) {
    const said = await testLine(plan, typed);
    expect([typed, said.works, said.isSent, said.fault]).toEqual([typed, false, false, null]);
    expect([typed, said.problems.map((problem: { code: string }) => problem.code)]).toEqual([typed, [code]]);
  }
  await rotatePassword(plan.owner, plan.id);
  expect(await testLine(plan, plan.line)).toMatchObject({ isSent: false, problems: [{ code: 'PASSWORD_OLD' }] });
  expect(page.requests).toEqual([]);
});

test('a suspended plan is told by itself and by what the proxy answers, an ended one has no address any more', async () => {
  const plan = await newPlan();
  const before = told();
  const system = world.statics.systemContext('test');
  await applyPlanEvent(system, plan.id, 'retries_exhausted');
  const line = readProxyLine(plan.line) ?? expect.unreachable();
  const send = createLineSender({ url: `http://127.0.0.1:${page.port}/` });
  await expect
    .poll(async () => (await send({ ...line, protocol: 'HTTP' }, AbortSignal.timeout(5_000))).fault)
    .toMatchObject({ answer: 'static_plan_suspended' });
  const fault = { code: 'static_plan_suspended', hint: expect.any(String) };
  expect(await testLine(plan, plan.line)).toMatchObject({ works: false, isSent: true, problems: [{ code: 'SUSPENDED' }], fault });
  await applyPlanEvent(system, plan.id, 'grace_over');
  await expect.poll(told).toBe(before - 1);
  const { isSent, problems } = await testLine(plan, plan.line);
  expect([isSent, problems.map(({ code }: { code: string }) => code)]).toEqual([false, ['ADDRESS_UNKNOWN', 'ENDED']]);
});

test('an account tests ten lines a minute, and a key needs the scope', async () => {
  const plan = await newPlan();
  page.server.close();
  for (let count = 0; count < 10; count++) expect(await testLine(plan, plan.line)).toMatchObject({ fault: { code: 'target_refused' } });
  const codes = ({ errors }: Awaited<ReturnType<typeof ask>>) => errors?.map(({ extensions }) => extensions?.['code']);
  expect(codes(await ask(plan, plan.line))).toEqual(['too_many_attempts']);
  expect(codes(await ask(plan, plan.line, ['read']))).toEqual(['forbidden']);
});
