// Two copies of each part behind HAProxy with constant load: one copy of each part in turn is stopped, killed, paused, and started again.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { enrolEdge } from '../../../subgraphs/residential/edges/services/edges.ts';
import { SUBGRAPHS } from '../../../schema/subgraphs.ts';
import { connectHead, openClient } from '../../edge/world.ts';
import type { Child } from '../../kit/child.ts';
import { freePorts } from '../../kit/ports.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { type Deployment, type Role, createDeployment } from '../../process/deployment.ts';
import { SCALE, say } from '../scale.ts';
import { LEFT_MS, startBalancer, hasBalancer } from './balancer.ts';

const SECRET = 'a master secret that all test platforms have';
const WHOLE: readonly Role[] = [...SUBGRAPHS, 'gateway', 'adapter', 'node'];
/** The parts with two copies: with ROLES=gateway,residential the others have one. */
const roles = (process.env['ROLES']?.split(',') as Role[] | undefined) ?? WHOLE;
/** Each key is limited to 120 requests a minute. */
const CUSTOMERS = 24;
const CALLERS = 6;
const PAUSE_MS = 100;
const PAUSED_MS = 4_000;

/** Many processes start at once; waiting for a database connection is not what is tested here. */
const PATIENT = { DATABASE_WAIT_MS: '15000' };

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

interface Line {
  authorization: string;
  username: string;
  password: string;
}

async function lineOf(stack: Stack): Promise<Line> {
  const account = await stack.seed.account();
  const { id } = await account.residentialPlan({ gigabytes: 5 });
  const { authorization } = await account.apiKey();
  const answer = await fetch(`${stack.url}/v1/residential/${id}/proxies?sticky=false&pool=Germany&quantity=1`, {
    headers: { authorization },
  });
  const { data } = (await answer.json()) as { data: { proxies: string[] } };
  const [, , username = '', password = ''] = data.proxies[0]?.split(':') ?? [];
  return { authorization, username, password };
}

/** Constant load, and the failures since the last call of `failures`. */
function startLoad(ports: { adapter: number; node: number }, lines: readonly Line[]) {
  let over = false;
  let asked = 0;
  let failures: string[] = [];
  const rest = async () => {
    const { authorization } = lines[asked % lines.length] as Line;
    const answer = await fetch(`http://127.0.0.1:${ports.adapter}/v1/residential`, { headers: { authorization } });
    const words = await answer.text();
    if (answer.status !== 200) failures.push(`REST ${answer.status} ${words.slice(0, 200)}`);
  };
  /** A right log-in with a target that is not allowed. */
  const node = async () => {
    const client = await openClient(ports.node);
    client.write(connectHead('10.1.2.3:80', lines[0]?.username ?? '', lines[0]?.password));
    const head = (await client.ended()).toString();
    if (!head.startsWith('HTTP/1.1 403')) failures.push(`node ${head.slice(0, 200)}`);
  };
  const load = async (ask: () => Promise<void>) => {
    while (!over) {
      asked++;
      await ask().catch((error: unknown) => failures.push(String((error as Error).cause ?? error)));
      await pause(PAUSE_MS);
    }
  };
  const running = Promise.all([
    ...Array<undefined>(CALLERS - 1)
      .fill(undefined)
      .map(() => load(rest)),
    load(node),
  ]);
  return {
    asked: () => asked,
    failures() {
      const found = failures;
      failures = [];
      return found;
    },
    async stop() {
      over = true;
      await running;
    },
  };
}

/** Starts both copies of each part, and the balancer. */
async function startAll(stack: Stack, deployment: Deployment) {
  const second = await freePorts(3 * WHOLE.length);
  const fronts = Object.fromEntries(WHOLE.map((role, index) => [role, second + 2 * WHOLE.length + index])) as Record<Role, number>;
  const at = (role: Role) => `http://127.0.0.1:${fronts[role]}`;
  const SUBGRAPH_URLS = SUBGRAPHS.map((name) => `${name}=${at(name)}/graphql`).join(',');
  const copies = (role: Role, index: number) =>
    [
      { port: deployment.port(role), healthPort: Number(new URL(deployment.healthUrl(role)).port) },
      { port: second + 2 * index, healthPort: second + 2 * index + 1 },
    ].slice(0, roles.includes(role) ? 2 : 1);
  const balancer = await startBalancer(
    WHOLE.map((name, index) => ({ name, port: fronts[name], mode: name === 'node' ? 'tcp' : 'http', copies: copies(name, index) })),
  );
  undo.push(balancer.close);
  const common = async (role: Role, copy: 0 | 1): Promise<Record<string, string>> => ({
    SUBGRAPH_URLS,
    ...(role === 'adapter' && { GATEWAY_URL: at('gateway') }),
    ...(role === 'node' && {
      PLATFORM_URL: at('gateway'),
      EDGE_KEY: await enrolEdge(stack.subgraphs.residential.systemContext('prove'), `copy-${copy}`),
    }),
  });
  const start = new Map<Role, () => Promise<Child>>();
  const running = new Map<Role, Child>();
  for (const wave of [SUBGRAPHS, ['gateway', 'adapter', 'node']] as const)
    await Promise.all(
      wave.map(async (role) => {
        const index = WHOLE.indexOf(role);
        const [own, other] = [await common(role, 0), await common(role, 1)];
        start.set(role, () => deployment.part(role, own));
        running.set(role, await deployment.part(role, own));
        if (!roles.includes(role)) return;
        const ports = { PORT: String(second + 2 * index), HEALTH_PORT: String(second + 2 * index + 1) };
        const elsewhere: Record<string, string> =
          role === 'node' ? { EDGE_LISTEN: `127.0.0.1:${second + 2 * index}`, DATA_DIR: `${deployment.dataDir}/second` } : {};
        await deployment.part(role, { ...other, ...ports, ...elsewhere });
      }),
    );
  return { balancer, fronts, start, running };
}

const absent = !hasBalancer();
// Sixteen processes take longer to start than the short form may take.
const short = SCALE < 1 && process.env['ROLES'] === undefined;
if (absent) say('skipped: haproxy is not installed (Debian: haproxy)');
else if (short) say('parts behind HAProxy: not in the short form');

test.skipIf(absent || short)(
  'one copy of each part is ended, killed and paused: callers hardly notice, and nothing stays broken',
  async () => {
    const stack = await startStack({ environment: PATIENT });
    undo.push(() => stack.close());
    const lines: Line[] = [];
    for (let customer = 0; customer < CUSTOMERS; customer++) lines.push(await lineOf(stack));
    const deployment = await createDeployment(
      {
        NODE_ENV: 'test',
        SECRET,
        SANDBOX_PORT: String(stack.platform.config.SANDBOX_PORT),
        STOP_DELAY_MS: String(LEFT_MS),
        ...PATIENT,
        DATABASE_POOL: '4',
      },
      stack.database.url,
    );
    undo.push(() => deployment.close());
    const { balancer, fronts, start, running } = await startAll(stack, deployment);
    const bothReady = (role: Role) =>
      expect.poll(async () => (await balancer.ready()).get(role), { timeout: 60_000 }).toBe(roles.includes(role) ? 2 : 1);
    for (const role of WHOLE) await bothReady(role);
    say(`${WHOLE.length + roles.length} processes stand behind HAProxy`);
    const load = startLoad(fronts, lines);
    undo.push(() => load.stop());
    const again = async (role: Role) => {
      running.set(role, await start.get(role)!());
      await bothReady(role);
    };
    await pause(LEFT_MS);
    expect(load.failures()).toEqual([]);

    for (const role of roles) {
      const signal = (name: NodeJS.Signals) => running.get(role)?.process.kill(name);
      signal('SIGTERM');
      expect([role, await running.get(role)?.ended]).toEqual([role, 0]);
      await again(role);
      expect([role, 'TERM', load.failures()]).toEqual([role, 'TERM', []]);

      signal('SIGKILL');
      await running.get(role)?.ended;
      await pause(LEFT_MS);
      // At most the requests in flight there.
      const killed = load.failures();
      expect([role, 'KILL', killed.length <= CALLERS ? [] : killed]).toEqual([role, 'KILL', []]);
      await again(role);
      expect([role, 'after KILL', load.failures()]).toEqual([role, 'after KILL', []]);

      signal('SIGSTOP');
      await pause(LEFT_MS);
      const stopped = load.failures();
      await pause(PAUSED_MS);
      const left = load.failures();
      signal('SIGCONT');
      await bothReady(role);
      expect([role, 'STOP', stopped.length <= CALLERS ? [] : stopped, left]).toEqual([role, 'STOP', [], []]);
      say(`${role}: TERM 0 failed, KILL ${killed.length}, STOP ${stopped.length} until the balancer had left it and ${left.length} after`);
    }
    await load.stop();
    say(`${load.asked()} requests in all`);
  },
);
