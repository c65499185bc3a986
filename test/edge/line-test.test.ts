// A test of a line sends a real request: through a real node, from an exit's address, to a page that tells what it saw; all bytes in the ledger.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GB } from '#platform/data-size.ts';
import { createLineSender } from '#lines/line-sender.ts';
import { generateProxies } from '../../subgraphs/residential/generation/services/generate-proxies.ts';
import { setDailyLimit } from '../../subgraphs/residential/plans/services/plan-settings.ts';
import type { Plan } from '../../subgraphs/residential/plans/domain/plan.ts';
import { addNetwork, setLogIn } from '../../subgraphs/residential/networks/services/client-networks.ts';
import { certify } from '../kit/certificate.ts';
import { keyOf, sessionOf } from '../kit/platform.ts';
import { freePorts } from '../kit/ports.ts';
import { codesOf } from '../subgraphs/residential/world.ts';
import { type AnsweringPage, ok, startAnsweringPage } from './answering-page.ts';
import { type OwnEdgeWorld, startOwnEdgeWorld } from './own-edge-world.ts';

const EXITS = [
  { id: 'de-1', address: '127.0.0.31', country: 'de', state: 'bavaria', city: 'munich', asn: 64_500, carrier: 'Example Telecom' },
  { id: 'fr-1', address: '127.0.0.32', country: 'fr' },
].map((exit) => ({ ...exit, kind: 'local', products: ['PREMIUM'] }));

let page: AnsweringPage;
let own: OwnEdgeWorld;
let directory: string;
let ports: number[];
let target: { address: string; port: number };
let certificate: { certFile: string; keyFile: string };
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'egress-line-test-'));
  const exitsFile = join(directory, 'exits.json');
  writeFileSync(exitsFile, JSON.stringify(EXITS));
  page = await startAnsweringPage();
  target = { address: '127.0.0.1', port: page.port };
  const first = await freePorts(4);
  ports = [first, first + 1, first + 2, first + 3];
  const [http = 0, socks = 0, https = 0] = ports;
  certificate = certify(directory, 'localhost');
  own = await startOwnEdgeWorld({
    environment: {
      PROXY_HTTP_PORT: String(http),
      PROXY_SOCKS5_PORT: String(socks),
      PROXY_HTTPS_PORT: String(https),
      LINE_TEST_URL: `http://127.0.0.1:${target.port}/where?from=line`,
    },
    ports: [http, socks],
    secure: { port: https, ...certificate },
    exitsFile,
    demoTarget: target,
  });
});
afterAll(async () => {
  await own?.close();
  page?.server.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => page.reset());

const TEST = `mutation ($line: String!) { test: proxyLineTest(line: $line) {
  works isSent protocol connectMs firstByteMs status exit { address country state city asn carrier } placeSource upBytes downBytes
  fault { code message hint params } check { works problems { code } planId } } }`;
// oxlint-disable-next-line typescript/no-explicit-any
type Tested = any;
let account = 0;
/** A plan of an account of its own, so that nobody's tests use up another's budget. */
const newPlan = (bytes?: bigint): Promise<Plan> => own.world.plan(`acct_line_${++account}`, 'PREMIUM', bytes);
const ask = (plan: Plan, line: string) => own.world.ask(keyOf(plan.accountId), TEST, { line });
async function testLine(plan: Plan, line: string): Promise<Tested> {
  const { data, errors } = await ask(plan, line);
  expect(errors).toBeUndefined();
  return (data as { test: Tested }).test;
}
async function lineOf(plan: Plan, protocol: 'HTTP' | 'SOCKS5' | 'HTTPS' = 'HTTP', pool = 'DE'): Promise<string> {
  const input = { targeting: { pool }, session: 'STICKY', sessionMinutes: 30, protocol, quantity: 1 } as const;
  return (await generateProxies(own.world.as(keyOf(plan.accountId)), plan.id, input)).text;
}
const counted = async (plan: Plan) => {
  await own.edge.plans.leases.flush();
  const { upBytes, downBytes } = await own.world.planNow(plan.id);
  return { upBytes: String(upBytes), downBytes: String(downBytes) };
};

describe('a line that works', () => {
  test.each(['HTTP', 'SOCKS5'] as const)('tells its exit and times over %s, and every byte is in the ledger', async (protocol) => {
    const plan = await newPlan();
    const first = await testLine(plan, await lineOf(plan, protocol));
    expect(first).toMatchObject({ works: true, isSent: true, protocol, status: 200, fault: null, check: { works: true, planId: plan.id } });
    expect(first.exit.address).toBe('127.0.0.31');
    expect([first.connectMs > 0, first.firstByteMs >= first.connectMs]).toEqual([true, true]);
    expect(page.requests).toHaveLength(1);
    expect(page.requests[0]).toMatch(/^GET \/where\?from=line HTTP\/1\.1\r\n/);
    const { upBytes, downBytes } = await counted(plan);
    expect({ upBytes, downBytes }).toEqual({ upBytes: first.upBytes, downBytes: first.downBytes });
    expect([Number(upBytes), Number(downBytes)]).toEqual([page.requests[0]?.length, page.answer('127.0.0.31')?.length]);
  });

  test('is in the place that its operator has entered, once a node has reported the exit', async () => {
    const plan = await newPlan();
    await own.edge.sendStatus();
    const { exit, placeSource } = await testLine(plan, await lineOf(plan));
    expect([exit, placeSource]).toEqual([
      { address: '127.0.0.31', country: 'de', state: 'bavaria', city: 'munich', asn: 64_500, carrier: 'Example Telecom' },
      'EXIT',
    ]);
  });

  test('is in the place that the page tells, as services for that answer', async () => {
    const plan = await newPlan();
    // https://ipinfo.io/developers/responses
    page.answer = (ip) => ok(JSON.stringify({ ip, city: 'Munich', region: 'Bavaria', country: 'DE', org: 'AS64501 Other Telecom' }));
    expect(await testLine(plan, await lineOf(plan))).toMatchObject({
      works: true,
      exit: { address: '127.0.0.31', country: 'de', state: 'Bavaria', city: 'Munich', asn: 64_501, carrier: 'Other Telecom' },
      placeSource: 'TARGET',
    });
    page.answer = (ip) => ok(JSON.stringify({ ip, country: 'US' }));
    expect(await testLine(plan, await lineOf(plan))).toMatchObject({
      works: false,
      exit: { country: 'us' },
      fault: { code: 'line_test_elsewhere', params: { asked: 'DE', seen: 'US' } },
    });
  });

  test('speaks TLS to the proxy, and does not trust a certificate of nobody', async () => {
    const plan = await newPlan();
    const line = await lineOf(plan, 'HTTPS');
    expect(await testLine(plan, line)).toMatchObject({ works: false, protocol: 'HTTPS', fault: { code: 'line_test_certificate' } });
    const [host = '', port, username = '', password = ''] = line.split(':');
    const url = `http://127.0.0.1:${target.port}/`;
    const send = createLineSender({ url, ca: readFileSync(certificate.certFile, 'utf8') });
    const sent = await send({ host, port: Number(port), username, password, protocol: 'HTTPS' }, AbortSignal.timeout(5_000));
    expect(sent).toMatchObject({ status: 200, exit: { address: '127.0.0.31' }, fault: null });
    expect(await counted(plan)).toEqual({ upBytes: String(sent.upBytes), downBytes: String(sent.downBytes) });
  });
});

describe('a line that does not work', () => {
  test('is told what the proxy answers, with how to mend it, over either protocol', async () => {
    const spent = await newPlan(GB);
    const paused = await newPlan();
    const lines: [Plan, string, string, string][] = [];
    for (const protocol of ['HTTP', 'SOCKS5'] as const) {
      const line = await lineOf(paused, protocol);
      lines.push([paused, line.replace('-country-de', '-country-it'), 'exit_unavailable', 'wider place']);
      lines.push([paused, line.replace('-country-de', '-country-de-city-qwertzburg'), 'proxy_username_invalid', 'which part']);
      lines.push([spent, await lineOf(spent, protocol), 'bandwidth_used_up', 'Top up']);
    }
    const limited = await newPlan();
    lines.push([limited, await lineOf(limited), 'daily_limit_reached', 'Daily Usage Limit']);
    await own.world.use(spent, GB);
    await setDailyLimit(own.world.as(sessionOf(limited.accountId)), limited.id, GB);
    await own.world.use(limited, GB);
    for (const [plan, line, code, hint] of lines) {
      const told = await testLine(plan, line);
      expect([line, told]).toMatchObject([line, { works: false, isSent: true, upBytes: '0', downBytes: '0', exit: null, connectMs: null }]);
      expect([line, told.fault]).toMatchObject([line, { code, hint: expect.stringContaining(hint) }]);
    }
    expect(page.requests).toEqual([]);
  });

  test('sends nothing when it leads elsewhere, or nobody would let it in', async () => {
    const plan = await newPlan();
    const line = await lineOf(plan);
    const elsewhere: string[] = [];
    const other = createServer((socket) => void elsewhere.push(String(socket.remotePort)));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as { port: number };
    const unsent: [string, string][] = [
      ['what is this', 'UNREADABLE'],
      [line.replace('localhost', '127.0.0.1'), 'HOST_WRONG'],
      [line.replace(`:${ports[0]}:`, `:${port}:`), 'PORT_WRONG'],
      [line.replace(plan.username, own.plan.username), 'USERNAME_UNKNOWN'],
      [`${line}x`, 'PASSWORD_WRONG'],
    ];
    for (const [typed, code] of unsent) {
      const told = await testLine(plan, typed);
      expect([typed, told.works, told.isSent, told.fault]).toEqual([typed, false, false, null]);
      expect(told.check.problems.map((problem: { code: string }) => problem.code)).toContain(code);
    }
    other.close();
    expect([elsewhere, page.requests]).toEqual([[], []]);
  });

  test('lets in listed addresses alone: the platform is told that it is none', async () => {
    const plan = await newPlan();
    const input = { network: '198.51.100.0/24', targeting: { pool: 'DE' }, session: 'ROTATING', sessionMinutes: 60 } as const;
    const ctx = own.world.as(sessionOf(plan.accountId)) as never;
    await addNetwork(ctx, plan.id, input);
    await setLogIn(ctx, plan.id, true);
    expect(await testLine(plan, await lineOf(plan))).toMatchObject({ isSent: true, fault: { code: 'line_test_not_listed' } });
  });

  test.each([
    ['line_test_page', 'HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n'],
    ['line_test_words', ok('hello')],
    ['line_test_lost', 'HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n127.0.0.31'],
    ['line_test_lost', ok('x'.repeat(100_000))],
  ])('is told %s', async (code, answer) => {
    const plan = await newPlan();
    page.answer = () => answer;
    const told = await testLine(plan, await lineOf(plan));
    expect(told).toMatchObject({ works: false, isSent: true, fault: { code } });
    expect(told.connectMs).toBeGreaterThan(0);
  });

  test('is told that nothing listens at the target, or at the proxy, and that nothing comes in time', async () => {
    const plan = await newPlan();
    const [host = '', , username = '', password = ''] = (await lineOf(plan)).split(':');
    const line = { host, username, password, port: ports[0] ?? 0, protocol: 'HTTP' } as const;
    const never = new AbortController().signal;
    const url = `http://127.0.0.1:${target.port}/`;
    const none = createLineSender({ url });
    expect(await none({ ...line, port: ports[3] ?? 0 }, never)).toMatchObject({ fault: { reason: { code: 'line_test_unreachable' } } });
    page.answer = () => undefined;
    const hasty = createLineSender({ url, limitMs: 300 });
    const silent = await hasty(line, never);
    expect(silent).toMatchObject({ firstByteMs: null, fault: { reason: { code: 'line_test_silent' } } });
    expect(silent.connectMs).toBeGreaterThan(0);
    const forbidden = createLineSender({ url: 'http://127.0.0.1:9/' });
    expect(await forbidden(line, never)).toMatchObject({ fault: { answer: 'target_address_forbidden' } });
    page.server.close();
    expect(await none(line, never)).toMatchObject({ fault: { answer: 'target_refused' } });
    expect(await none({ ...line, port: ports[1] ?? 0, protocol: 'SOCKS5' }, never)).toMatchObject({ fault: { answer: 'target_refused' } });
  });
});

test('an account tests ten lines a minute, and a key needs the scope', async () => {
  const plan = await newPlan();
  const line = (await lineOf(plan)).replace('-country-de', '-country-it');
  for (let count = 0; count < 10; count++) expect((await ask(plan, line)).errors).toBeUndefined();
  expect(codesOf(await ask(plan, line))).toEqual(['too_many_attempts']);
  const reader = await own.world.ask(keyOf(plan.accountId, ['read']), TEST, { line });
  expect(codesOf(reader)).toEqual(['forbidden']);
});
