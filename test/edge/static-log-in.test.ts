// Log-in by address at static plans with curl, on a node that knows the platform over HTTP: who comes from a network of a plan needs no password.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unseal } from '#platform/sealing.ts';
import type { Edge } from '../../edge/edge.ts';
import { type TargetSite, startTargetSite } from '../../sandbox/site/target-site.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import { applyPlanEvent } from '../../subgraphs/static/plans/services/apply-plan-event.ts';
import { addNetwork, removeNetwork, setLogIn } from '../../subgraphs/static/plans/services/plan-networks.ts';
import { networksOfPlans } from '../../subgraphs/static/plans/entities/plan-network.ts';
import { sessionOf } from '../kit/platform.ts';
import { freePorts } from '../kit/ports.ts';
import { staticTables } from '../subgraphs/static/tables.ts';
import { type PlatformWorld, startPlatformWorld } from './platform-world.ts';

const [ONE, TWO] = ['127.0.0.61', '127.0.0.62'];
const [HOME, AWAY, ELSEWHERE] = ['127.0.7.1', '127.0.7.2', '127.0.7.3'];
const ACCOUNT = 'acct_1';

let world: PlatformWorld;
let site: TargetSite;
let edge: Edge;
let port: number;
let planId: string;
let login: string;
beforeAll(async () => {
  world = await startPlatformWorld();
  site = await startTargetSite();
  edge = await world.remoteEdge('far', { demoTarget: site.endpoint });
  port = await freePorts(1);
  const statics = world.statics.systemContext('test');
  const rows = [ONE, TWO].map((ip) => `${ip},${port},isp-northline,Here`);
  await importInventory(statics, ['ip,port,product,location', ...rows].join('\n'));
  const at = world.residential.clock.now();
  planId = await createPlan(statics, {
    orderId: 'ord_1',
    accountId: ACCOUNT,
    subscriptionId: 'sub_1',
    productId: 'isp-northline',
    quantity: 2,
    billing: { version: 1, periodStart: at, periodEnd: new Date(at.getTime() + 30 * 86_400_000) },
  });
  await world.residential.platform.queue.drain();
  const [line] = await staticTables(world.residential.query).linesOf(planId);
  if (!line) expect.unreachable();
  login = `${line.username}:${unseal(line.password_sealed, world.residential.platform.secrets.sealing, planId)}@`;
  await until(async () => String(edge.figures().staticLines), /^2$/);
});
afterAll(async () => {
  await site?.close();
  await world?.close();
});

const run = promisify(execFile);
interface Asked {
  from: string;
  address?: string;
  proxyPort?: number;
  scheme?: string;
  login?: string;
  /** CONNECT instead of a request in absolute form. */
  tunnel?: boolean;
}
/** The target's answer, or the status of the node's refusal. */
const curl = ({ from, address = ONE, proxyPort = port, scheme = 'http', login: by = '', tunnel = false }: Asked): Promise<string> =>
  run('curl', [
    ...['-sS', '--max-time', '10', '--noproxy', '', '--interface', from, '-w', ' %{http_connect}%{http_code}'],
    ...(tunnel ? ['-p'] : []),
    ...['-x', `${scheme}://${by}${address}:${proxyPort}`, site.url],
  ]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => `failed${stdout}`,
  );
/** Repeats until the node knows of the change. */
async function until(answer: () => Promise<string>, wanted: RegExp): Promise<void> {
  let said = await answer();
  for (let round = 0; !wanted.test(said) && round < 40; round++) {
    await new Promise((done) => setTimeout(done, 50));
    said = await answer();
  }
  expect(said).toMatch(wanted);
}
const owner = () => world.statics.context(sessionOf(ACCOUNT));
const networks = () => networksOfPlans(owner().em, [planId]);
const from = (ip: string) => new RegExp(`You come from ${ip.replaceAll('.', String.raw`\.`)}`);

test('a network of the plan passes at each address over HTTP, CONNECT and SOCKS5, from exactly that address; others do not', async () => {
  expect(await curl({ from: HOME })).toContain('407');
  await addNetwork(owner(), planId, { network: `${HOME}/32` });
  await until(() => curl({ from: HOME }), from(ONE));
  for (const address of [ONE, TWO])
    for (const way of [{}, { tunnel: true }, { scheme: 'socks5' }, { scheme: 'socks5h' }])
      expect(await curl({ from: HOME, address, ...way }), JSON.stringify(way)).toMatch(from(address));
  expect(await curl({ from: AWAY })).toContain('407');
  expect(await curl({ from: AWAY, scheme: 'socks5h' })).toMatch(/^failed/);
  await edge.sendStatus();
  expect((await networks()).map(({ usedAt }) => usedAt)).toEqual([expect.any(Date)]);
});

test('a network of one address passes there alone', async () => {
  await addNetwork(owner(), planId, { network: '127.0.7.0/30', ip: TWO });
  await until(() => curl({ from: AWAY, address: TWO }), from(TWO));
  expect(await curl({ from: AWAY, address: ONE })).toContain('407');
  expect(await curl({ from: HOME, address: ONE, login: 'nobody:wrong@' })).toContain('407');
});

test('the same network is let in by a residential plan too: its port tells which one is meant', async () => {
  const plan = await world.residential.plan('acct_2');
  const { errors } = await world.residential.ask(
    sessionOf('acct_2'),
    'mutation ($plan: ID!, $input: ClientNetworkInput!) { clientNetworkAdd(planId: $plan, input: $input) { id } }',
    { plan: plan.id, input: { network: HOME, targeting: { pool: 'Worldwide' }, session: 'ROTATING' } },
  );
  expect(errors).toBeUndefined();
  const proxyPort = edge.ports[0] ?? 0;
  await until(() => curl({ from: HOME, address: '127.0.0.1', proxyPort }), /You come from 127\.0\.0\.1[12]\./);
  expect(await curl({ from: HOME })).toMatch(from(ONE));
});

test('both: neither the password nor the address is enough alone', async () => {
  expect(await curl({ from: ELSEWHERE, login })).toMatch(from(ONE));
  await setLogIn(owner(), planId, true);
  await until(() => curl({ from: ELSEWHERE, login }), /403/);
  expect(await curl({ from: HOME })).toContain('407');
  for (const way of [{}, { tunnel: true }, { scheme: 'socks5h' }]) expect(await curl({ from: HOME, login, ...way })).toMatch(from(ONE));
  expect(await curl({ from: AWAY, login })).toContain('403');
  expect(await curl({ from: AWAY, address: TWO, login })).toMatch(from(TWO));
  await setLogIn(owner(), planId, false);
  await until(() => curl({ from: HOME }), from(ONE));
});

test('a suspended plan says so, a removed network lets nobody in, and an ended plan listens nowhere', async () => {
  await applyPlanEvent(world.statics.systemContext('test'), planId, 'retries_exhausted');
  await until(() => curl({ from: HOME }), /402/);
  await applyPlanEvent(world.statics.systemContext('test'), planId, 'paid');
  await until(() => curl({ from: HOME }), from(ONE));
  const [entry] = await networks();
  await removeNetwork(owner(), entry?.id ?? '');
  await until(() => curl({ from: HOME }), /407/);
  // The wider one is of the other address.
  expect(await curl({ from: HOME, address: TWO })).toMatch(from(TWO));
  await applyPlanEvent(world.statics.systemContext('test'), planId, 'period_ended');
  await until(() => curl({ from: HOME, address: TWO }), /^failed/);
  expect(await networks()).toEqual([]);
});
