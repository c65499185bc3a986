// All attacks at once for ten minutes: floods, guesses, hoarding, poison and slow clients against one platform, while every REST case is repeated and the
// customer whom they try to lock out logs in. No answer may be wrong; a request that is refused as too many says when to retry, and is retried.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePorts } from '../../kit/ports.ts';
import { CASES } from '../../rest-adapter/cases.ts';
import { type StackWorld, startStackWorld } from '../../rest-adapter/stack-world.ts';
import { call } from '../../rest-adapter/world.ts';
import { say, scaled } from '../scale.ts';
import type { Scene, Tally } from './attacker.ts';
import { type Experience, keepDoing, toText } from './good-customer.ts';

const SECONDS = scaled(600, 5);
/** How much the heap may have grown: caches that were empty before. */
const GROWTH_BYTES = 64 * 1024 * 1024;
/** How often a request that was refused as too many is sent. */
const TRIES = 5;

let world: StackWorld;
let scene: Scene;
let signIn: () => Promise<number>;
beforeAll(async () => {
  const proxyPort = await freePorts(2);
  world = await startStackWorld({ EDGE: 'true', PROXY_HTTP_PORT: String(proxyPort), PROXY_SOCKS5_PORT: String(proxyPort + 1) });
  const { seed } = world.stack;
  const [victim, hostile] = [await seed.account(), await seed.account()];
  const plan = await hostile.residentialPlan({ gigabytes: 1 });
  scene = {
    port: Number(new URL(world.url).port),
    proxyPort,
    socksPort: proxyPort + 1,
    victim: victim.email,
    seconds: SECONDS,
    cookie: await hostile.cookie(),
    apiKey: (await hostile.apiKey()).key,
    plan: plan.id,
    staleLine: `${plan.username}-country-de:wrong`,
  };
  let cookie: string | undefined;
  signIn = async () => {
    const answer = await fetch(`${world.url}/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: world.url, ...(cookie !== undefined && { cookie }) },
      body: JSON.stringify({ email: victim.email, password: victim.password }),
    });
    await answer.text();
    // Send cookies back, as a browser does.
    cookie = answer.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ');
    return answer.status;
  };
});
afterAll(() => world.close());

/** The REST cases in turn, each with its expected answer. */
function restSuite(): { errand: () => Promise<string | undefined>; shed: () => number } {
  let at = 0;
  let shed = 0;
  let key = '';
  return {
    shed: () => shed,
    async errand() {
      // Each key is limited to 120 requests, including refused ones.
      if (at % 60 === 0) key = await world.key();
      const { title, path, status, code } = CASES[at++ % CASES.length] as (typeof CASES)[number];
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const answer = await call(world, path(world.plans), key);
        if (answer.status === 503 && answer.headers.has('retry-after')) {
          shed++;
          await pause(Number(answer.headers.get('retry-after')) * 1_000);
          continue;
        }
        const right = answer.status === status && (code === undefined || answer.body.meta?.code === code);
        return right ? undefined : `${title}: ${answer.status} ${answer.body.meta?.code ?? ''}`;
      }
      return `${title}: never served`;
    },
  };
}

const attack = async (): Promise<Tally> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('attacker.ts', import.meta.url)), JSON.stringify(scene)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(child, 'close');
  return JSON.parse(text) as Tally;
};

/** The heap after a garbage collection. */
function heapBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('everything at once, and every answer is right', async () => {
  const suite = restSuite();
  // Fill caches before measuring memory.
  await keepDoing(suite.errand, 0, () => false, CASES.length);
  const before = heapBytes();
  let over = false;
  const attacking = attack().finally(() => (over = true));
  const [tally, cases, owner]: [Tally, Experience, Experience] = await Promise.all([
    attacking,
    keepDoing(suite.errand, 20, () => over),
    keepDoing(
      async () => await signIn().then((status) => (status === 200 ? undefined : `answered ${status}`)),
      2_000,
      () => over,
    ),
  ]);
  for (const [name, outcomes] of Object.entries(tally))
    say(
      `${name}: ${Object.entries(outcomes)
        .map(([outcome, often]) => `${often} x ${outcome}`)
        .join(', ')}`,
    );
  say(`REST cases: ${toText(cases)}; ${suite.shed()} asked again after a 503`);
  say(`the owner's log-ins: ${toText(owner)}`);
  const grown = heapBytes() - before;
  const inMiB = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
  say(`the heap grew by ${inMiB(grown)}; the process has ${inMiB(process.memoryUsage().rss)}`);
  expect(Object.fromEntries(cases.faults)).toEqual({});
  expect(Object.fromEntries(owner.faults)).toEqual({});
  expect(
    Object.entries(tally).filter(([, outcomes]) => Object.keys(outcomes).some((outcome) => /^500|never answered/.test(outcome))),
  ).toEqual([]);
  expect(grown).toBeLessThan(GROWTH_BYTES);
  expect((await fetch(`${world.url}/health/ready`)).status).toBe(200);
});
