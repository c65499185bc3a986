// HTTPS proxies of static plans: lines as their owner gets them, on a node that knows the platform over HTTP, with clients that others wrote.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#platform/log.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import type { Edge } from '../../edge/edge.ts';
import { type TargetSite, startTargetSite } from '../../sandbox/site/target-site.ts';
import { type HttpsProberOptions, httpsProber } from '../../subgraphs/static/health/providers/https-prober.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import { applyPlanEvent } from '../../subgraphs/static/plans/services/apply-plan-event.ts';
import { lookAtCertificates } from '../../subgraphs/static/plans/services/look-at-certificates.ts';
import { addNetwork, setLogIn } from '../../subgraphs/static/plans/services/plan-networks.ts';
import { certify } from '../kit/certificate.ts';
import { keyOf, sessionOf } from '../kit/platform.ts';
import { freePorts } from '../kit/ports.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';

const [ONE, TWO] = ['127.0.0.71', '127.0.0.72'] as const;
const [HOME, AWAY] = ['127.0.7.11', '127.0.7.12'];
const ACCOUNT = 'acct_1';
const DAY_MS = 86_400_000;

let world: PlatformWorld;
let site: TargetSite;
let edge: Edge;
let directory: string;
let certFile: string;
let planId: string;
let ports: [plain: number, secure: number];
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'egress-static-https-'));
  const files = certify(directory, [ONE, TWO]);
  certFile = files.certFile;
  ports = [await freePorts(1), await freePorts(1)];
  world = await startPlatformWorld({ STATIC_HTTPS_PORT: String(ports[1]) });
  site = await startTargetSite();
  // No port for generated lines speaks TLS: the certificate is for static addresses alone.
  edge = await world.remoteEdge('far', { demoTarget: site.endpoint, secure: { listen: [], ...files } });
  const statics = world.statics.systemContext('test');
  const rows = [ONE, TWO].map((ip) => `${ip},${ports[0]},isp-northline,Here`);
  await importInventory(statics, ['ip,port,product,location', ...rows].join('\n'));
  const at = world.residential.clock.now();
  planId = await createPlan(statics, {
    orderId: 'ord_1',
    accountId: ACCOUNT,
    subscriptionId: 'sub_1',
    productId: 'isp-northline',
    quantity: 2,
    billing: { version: 1, periodStart: at, periodEnd: new Date(at.getTime() + 30 * DAY_MS) },
  });
  await world.residential.platform.queue.drain();
  await until(async () => String(edge.figures().staticLines), /^2$/);
});
afterAll(async () => {
  await site?.close();
  await world?.close();
  rmSync(directory, { recursive: true, force: true });
});

const owner = () => world.statics.context(sessionOf(ACCOUNT));
/** The plan's lines as its owner gets them, split. */
async function lines(): Promise<[host: string, port: string, username: string, password: string][]> {
  const graph = createSubgraphRunner(world.statics, silentLog);
  const { data, errors } = await graph.execute({ query: '{ staticPlans { items { proxies(protocol: HTTPS) } } }' }, keyOf(ACCOUNT));
  expect(errors).toBeUndefined();
  const [plan] = (data as { staticPlans: { items: { proxies: string[] }[] } }).staticPlans.items;
  return (plan?.proxies ?? []).map((line) => line.split(':') as [string, string, string, string]);
}
/** The target's answer, or what curl says. */
const curl = (proxy: string, ...options: string[]): Promise<string> =>
  promisify(execFile)('curl', [
    ...['-sS', '--max-time', '10', '--noproxy', '', '-w', ' %{http_connect}%{http_code}'],
    ...['--proxy-cacert', certFile, ...options, '-x', proxy, site.url],
  ]).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed${stdout} ${stderr}`,
  );
async function until(answer: () => Promise<string>, wanted: RegExp): Promise<void> {
  let said = await answer();
  for (let round = 0; !wanted.test(said) && round < 40; round++) {
    await new Promise((done) => setTimeout(done, 50));
    said = await answer();
  }
  expect(said).toMatch(wanted);
}
const from = (ip: string) => new RegExp(`You come from ${ip.replaceAll('.', String.raw`\.`)}`);

test('curl speaks TLS to each address with the log-in of its line, for requests and tunnels, and leaves from exactly that address', async () => {
  const all = await lines();
  expect(all.map(([host, port]) => [host, Number(port)])).toEqual([
    [ONE, ports[1]],
    [TWO, ports[1]],
  ]);
  for (const [host, port, username, password] of all)
    for (const way of [[], ['--proxytunnel']])
      expect(await curl(`https://${username}:${password}@${host}:${port}`, ...way)).toMatch(from(host));
  expect(await curl(`https://${all[0]?.[2]}:wrong@${ONE}:${ports[1]}`)).toContain('407');
});

test('a client that does not know the certificate gets nothing, nor does one that takes the port for a plain one; the plain port stays plain', async () => {
  const [[host, port, username, password] = expect.unreachable()] = await lines();
  const login = `${username}:${password}@${host}`;
  expect(await curl(`https://${login}:${port}`, '--proxy-cacert', '/etc/ssl/certs/ca-certificates.crt')).toMatch(/^failed.*certificate/is);
  expect(await curl(`http://${login}:${port}`)).toMatch(/^failed/);
  expect(await curl(`http://${login}:${ports[0]}`)).toMatch(from(host));
});

test('log-in by address works over TLS too, and both needs both', async () => {
  const [[host, port, username, password] = expect.unreachable()] = await lines();
  const bare = `https://${host}:${port}`;
  expect(await curl(bare, '--interface', HOME)).toContain('407');
  await addNetwork(owner(), planId, { network: `${HOME}/32` });
  await until(() => curl(bare, '--interface', HOME), from(host));
  expect(await curl(bare, '--interface', HOME, '--proxytunnel')).toMatch(from(host));
  expect(await curl(bare, '--interface', AWAY)).toContain('407');
  await setLogIn(owner(), planId, true);
  await until(() => curl(bare, '--interface', HOME), /407/);
  const named = `https://${username}:${password}@${host}:${port}`;
  expect(await curl(named, '--interface', HOME)).toMatch(from(host));
  expect(await curl(named, '--interface', AWAY)).toContain('403');
  await setLogIn(owner(), planId, false);
  await until(() => curl(bare, '--interface', HOME), from(host));
});

test('checks of health look at the TLS port as customers do', async () => {
  const [[host, , username, password] = expect.unreachable()] = await lines();
  const line = { ip: host, port: ports[0], username, password };
  const socketOf = (ip: string) => `${ip}:${ports[1]}`;
  const never = new AbortController().signal;
  const ca = readFileSync(certFile, 'utf8');
  const checkUrl = site.url;
  const judge = (over: Partial<HttpsProberOptions> = {}, at = line) => httpsProber({ checkUrl, socketOf, ca, ...over })(at, never);
  expect(await judge()).toBeNull();
  expect(await judge({ ca: undefined })).toBe('CERTIFICATE');
  expect(await judge({}, { ...line, password: 'wrong' })).toBe('REFUSED');
  expect(await judge({ socketOf: (ip) => `${ip}:1` })).toBe('UNREACHABLE');
  expect(await judge({ socketOf: () => `${TWO}:${ports[1]}` })).toBe('WRONG_EXIT');
});

test('the operator’s check looks at one address of each place, and judges its certificate as customers do', async () => {
  const [found, ...more] = await lookAtCertificates(world.statics.systemContext('test'));
  const wrong = {
    vendor: 'static proxies',
    what: `certificate of ${ONE}:${ports[1]}`,
    ok: false,
    words: expect.stringMatching(/self[- ]signed/),
  };
  expect([found, more]).toEqual([wrong, []]);
});

test('an ended plan listens nowhere', async () => {
  await applyPlanEvent(world.statics.systemContext('test'), planId, 'period_ended');
  const knock = () =>
    new Promise<string>((resolve) => {
      const socket = connect({ host: ONE, port: ports[1], rejectUnauthorized: false }, () => {
        socket.destroy();
        resolve('open');
      });
      socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? ''));
    });
  await until(knock, /^ECONNREFUSED$/);
  const nothing = [{ ok: true, words: 'no address is in use that could be looked at' }];
  expect(await lookAtCertificates(world.statics.systemContext('test'))).toMatchObject(nothing);
});
