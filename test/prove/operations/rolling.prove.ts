// A rolling release of a platform of several processes, with two of each indispensable part: callers and proxy nodes notice nothing.
import { type Server, type Socket, connect, createServer } from 'node:net';
import { SECOND } from '#platform/clock.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Child } from '../../kit/child.ts';
import type { SeededAccount } from '../../kit/seed.ts';
import { freePorts } from '../../kit/ports.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { enrolEdge } from '../../../subgraphs/residential/edges/services/edges.ts';
import { connectHead, openClient } from '../../edge/world.ts';
import { type Deployment, createDeployment } from '../../process/deployment.ts';
import { SCALE } from '../scale.ts';

const SECRET = 'a master secret that all test platforms have';
const STOP_DELAY_MS = 3_000;
const CHECK_MS = SECOND;
/** Each key is limited to 120 requests a minute. */
const CUSTOMERS = 24;
/** Each caller's pause between an answer and the next request. */
const PAUSE_MS = 120;

/** A balancer as documented: checks the readiness of each copy and connects to the ready ones in turn. */
class Balancer {
  readonly #backends: { port: number; health: string; ready: boolean }[];
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  readonly #timer: NodeJS.Timeout;
  #turn = 0;

  constructor(port: number, backends: readonly { port: number; health: string }[]) {
    this.#backends = backends.map((backend) => ({ ...backend, ready: false }));
    this.#server = createServer((socket) => this.#take(socket)).listen(port, '127.0.0.1');
    this.#timer = setInterval(() => void this.check(), CHECK_MS);
  }

  async check(): Promise<number> {
    for (const backend of this.#backends)
      backend.ready = await fetch(backend.health).then(
        ({ ok }) => ok,
        () => false,
      );
    return this.#backends.filter(({ ready }) => ready).length;
  }

  #take(socket: Socket): void {
    const ready = this.#backends.filter((backend) => backend.ready);
    const backend = ready[this.#turn++ % ready.length];
    if (!backend) return void socket.destroy();
    const behind = connect(backend.port, '127.0.0.1');
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => this.#sockets.delete(one));
      one.pipe(other);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

let stack: Stack;
let deployment: Deployment;
let balancer: Balancer;
const lines: { authorization: string; username: string; password: string }[] = [];
let ports: number;
/** The ports of the second copy of a part. */
const second = (index: number) => ({ PORT: String(ports + 2 * index), HEALTH_PORT: String(ports + 2 * index + 1) });
const parts = new Map<string, { child: Child; again(): Promise<Child> }>();

/** A generated line, and the key that generated it. */
async function lineOf(account: SeededAccount): Promise<(typeof lines)[number]> {
  const { id } = await account.residentialPlan({ gigabytes: 5 });
  const { authorization } = await account.apiKey();
  const path = `/v1/residential/${id}/proxies?sticky=false&pool=Germany&quantity=1`;
  const answer = await fetch(stack.url + path, { headers: { authorization } });
  const { data } = (await answer.json()) as { data: { proxies: string[] } };
  const [, , username = '', password = ''] = data.proxies[0]?.split(':') ?? [];
  return { authorization, username, password };
}

/** All answers other than the expected ones. */
const failures: string[] = [];
let asks = 0;

async function askRest(): Promise<void> {
  const answer = await fetch(`${deployment.url('adapter')}/v1/residential`, {
    headers: { authorization: lines[asks % CUSTOMERS]?.authorization ?? '' },
  });
  const text = await answer.text();
  if (answer.status !== 200) failures.push(`REST ${answer.status} ${text.slice(0, 200)}`);
}
/** A right log-in with a target that is not allowed. */
async function askNode(): Promise<void> {
  const client = await openClient(deployment.port('node'));
  client.write(connectHead('10.1.2.3:80', lines[0]?.username ?? '', lines[0]?.password));
  const head = (await client.ended()).toString();
  if (!head.startsWith('HTTP/1.1 403')) failures.push(`node ${head.slice(0, 200)}`);
}

// Not in the short form, since nine processes take more than its minute. `test/process/stop.test.ts` tests how each part stops.
describe.skipIf(SCALE < 1)('behind a balancer that asks for readiness', () => {
  beforeAll(async () => {
    stack = await startStack();
    for (let customer = 0; customer < CUSTOMERS; customer++) lines.push(await lineOf(await stack.seed.account()));
    const { config } = stack.platform;
    ports = await freePorts(6);
    const balanced = `http://127.0.0.1:${ports + 4}`;
    deployment = await createDeployment(
      { NODE_ENV: 'test', SECRET, SANDBOX_PORT: String(config.SANDBOX_PORT), STOP_DELAY_MS: String(STOP_DELAY_MS) },
      stack.database.url,
    );
    const urls = (['accounts', 'static', 'compute'] as const).map((name) => `${name}=${deployment.url(name)}/graphql`);
    const SUBGRAPH_URLS = [...urls, `residential=${balanced}/graphql`].join(',');
    const start = async (name: string, again: () => Promise<Child>) => parts.set(name, { child: await again(), again });
    await Promise.all([
      deployment.part('accounts'),
      start('residential 1', () => deployment.part('residential')),
      start('residential 2', () => deployment.part('residential', second(0))),
    ]);
    balancer = new Balancer(ports + 4, [
      { port: deployment.port('residential'), health: `${deployment.healthUrl('residential')}/health/ready` },
      { port: ports, health: `http://127.0.0.1:${ports + 1}/health/ready` },
    ]);
    while ((await balancer.check()) < 2) await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
    const gateways = `${deployment.url('gateway')},http://127.0.0.1:${ports + 2}`;
    await Promise.all([
      start('gateway 1', () => deployment.part('gateway', { SUBGRAPH_URLS })),
      start('gateway 2', () => deployment.part('gateway', { ...second(1), SUBGRAPH_URLS })),
    ]);
    await Promise.all([
      deployment.part('adapter', { GATEWAY_URL: gateways }),
      deployment.part('node', {
        PLATFORM_URL: balanced,
        EDGE_KEY: await enrolEdge(stack.subgraphs.residential.systemContext('test'), 'rolled'),
      }),
    ]);
  });
  afterAll(async () => {
    balancer.close();
    await deployment.close();
    await stack.close();
  });

  test('each process in its turn is stopped and started again, and nobody is refused', async () => {
    await expect
      .poll(() => fetch(`${deployment.healthUrl('node')}/health/ready`).then(({ status }) => status), { timeout: 20_000 })
      .toBe(200);
    const adapter = async () => (await fetch(`${deployment.healthUrl('adapter')}/health/ready`)).json();
    await expect.poll(adapter, { timeout: 20_000 }).toMatchObject({ status: 'ok', counts: { gateways: 2, gatewaysReady: 2 } });
    let over = false;
    const load = async (ask: () => Promise<void>) => {
      while (!over) {
        asks++;
        await ask().catch((error: unknown) => failures.push(String(error)));
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    const loads = [askRest, askRest, askRest, askRest, askRest, askRest, askNode].map(load);
    for (const [name, part] of parts) {
      part.child.process.kill('SIGTERM');
      expect([name, await part.child.ended]).toEqual([name, 0]);
      expect([name, failures]).toEqual([name, []]);
      const ready = name.startsWith('gateway') ? { status: 'degraded', counts: { gatewaysReady: 1 } } : { status: 'ok' };
      await expect.poll(adapter, { timeout: 10_000 }).toMatchObject(ready);
      await part.again();
      if (name.startsWith('residential')) await expect.poll(() => balancer.check(), { timeout: 20_000 }).toBe(2);
    }
    over = true;
    await Promise.all(loads);
    expect(failures).toEqual([]);
    expect(asks).toBeGreaterThan(100);
  });
});
