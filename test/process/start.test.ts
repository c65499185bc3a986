// Starts that succeed on hosts and with public names that this machine cannot connect to.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Child, runChild } from '../kit/child.ts';
import { type TestDatabase, createTestDatabase } from '../kit/database.ts';
import { PLATFORM_PORTS, freePorts } from '../kit/ports.ts';

const ipv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));

// Generous limits for a busy machine: a whole platform starts in seconds on an idle one.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

let database: TestDatabase;
let dataDir: string;
let port: number;
const children: Child[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'egress-start-'));
  port = await freePorts(PLATFORM_PORTS + 2);
});
afterEach(async () => {
  for (const child of children) child.process.kill('SIGKILL');
  await Promise.all(children.splice(0).map(({ ended }) => ended));
  await database.drop();
  rmSync(dataDir, { recursive: true });
});
function start(environment: Record<string, string>, program = 'main.ts'): Child {
  const child = runChild(program, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
    PROXY_HTTP_PORT: String(port + PLATFORM_PORTS),
    PROXY_SOCKS5_PORT: String(port + PLATFORM_PORTS + 1),
    ...environment,
  });
  children.push(child);
  return child;
}

type Case = [where: string, environment: Record<string, string>, dashboard: string | undefined, host: string];
const HOSTS: Case[] = [
  ['on a public address that leads nowhere yet', { PUBLIC_URL: 'https://shop.invalid' }, 'https://shop.invalid', '127.0.0.1'],
  ['on every address of IPv4', { HOST: '0.0.0.0' }, undefined, '127.0.0.1'],
];
/** Cases for machines with an IPv6 address. */
const HOSTS_OF_IPV6: Case[] = [['on every address of both kinds', { HOST: '::' }, undefined, '[::1]']];

test.each(HOSTS)('%s the page comes, with lines to try, and notices of the sandbox arrive', judge);
test.skipIf(!ipv6).each(HOSTS_OF_IPV6)('%s the page comes, with lines to try, and notices of the sandbox arrive', judge);

async function judge(...[, environment, dashboard, host]: Case): Promise<void> {
  const child = start(environment);
  await child.said('Ctrl-C stops it');
  const page = child.text();
  expect(page).toContain(`Dashboard      ${dashboard ?? `http://localhost:${port}`}\n`);
  // The second line is of a static plan, which exists only if the card processor's webhook has arrived.
  expect(page.match(/ {2}curl -x http:\/\/\S+@\S+:\d+ http/g)).toHaveLength(2);
  const { apiKey, customer } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Record<string, never> & {
    apiKey: string;
    customer: { email: string; password: string };
  };
  const answer = await fetch(`http://${host}:${port}/v1/static/isp`, { headers: { authorization: `Bearer ${apiKey}` } });
  expect(answer.status).toBe(200);
  const asked = await fetch(`http://${host}:${port}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ vpsLocations(os: DEBIAN_12) { name plans } }' }),
  });
  const plans = ['PLANK', 'BROGLIE', 'EINSTEIN'];
  const vpsLocations = ['Frankfurt', 'Vienna'].map((name) => ({ name, plans }));
  expect(await asked.json()).toMatchObject({ data: { vpsLocations } });
  // The demo's password is random, so the source does not contain it.
  expect(page).toContain(`${customer.email}   ${customer.password}`);
  expect(readFileSync(new URL('../../demo.ts', import.meta.url), 'utf8')).not.toContain(customer.password);
  if (dashboard === undefined) await seeNothingWrong(environment);
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0);
}

/** Doctor finds the sandbox's vendors set up. Its only complaint is that test databases are not durable. */
async function seeNothingWrong(environment: Record<string, string>): Promise<void> {
  const doctor = start(environment, 'doctor.ts');
  await doctor.ended;
  expect(doctor.text()).toContain('ok     card  webhook');
  expect(doctor.text().match(/^WRONG {2}(?!database {2}durability).*$/gm)).toBeNull();
}
