// The process that delivers webhooks is killed at random moments, while some receivers fail, hang up or answer nonsense: each gets every event, in order.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HOUR, systemClock } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { silentLog } from '#platform/log.ts';
import { openPlatform } from '#platform/platform.ts';
import { startSubgraph } from '#platform/subgraph.ts';
import { readConfig } from '../../../configuration.ts';
import { createRandom } from '../../../sandbox/random.ts';
import { createAccount } from '../../../subgraphs/accounts/identity/services/sign-up.ts';
import { accounts } from '../../../subgraphs/accounts/subgraph.ts';
import { addEndpoint } from '../../../subgraphs/accounts/webhooks/services/endpoints.ts';
import { createTestDatabase } from '../../kit/database.ts';
import { NOWHERE, givenVendors } from '../../kit/nowhere.ts';
import { sessionOf } from '../../kit/platform.ts';
import { freePorts } from '../../kit/ports.ts';
import { type Behaviour, type Receiver, isSigned, startReceiver } from '../../subgraphs/accounts/webhooks/receiver.ts';
import { SEED, say, scaled } from '../scale.ts';

const FACTS_PER_LIFE = 20;
/** The process is killed at most this long after its first delivery. */
const MAX_LIFE_MS = 300;
/** The first delivery and one in four of the others fail, in one of these ways. */
const TRICKS: readonly Behaviour[] = [500, 429, 302, 'hang_up', 'garbage'];

test('receivers that fail and lie, and a sender that is killed: everything is told at least once, in order', async () => {
  const kills = scaled(100, 2);
  const random = createRandom(SEED);
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'egress-webhooks-'));
  const environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_POOL: '4',
    DATABASE_WAIT_MS: '15000',
    SECRET: 'x'.repeat(40),
    WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8',
  };
  const platform = await openPlatform(readConfig(environment), database.url, givenVendors(NOWHERE), { clock: systemClock, log: silentLog });
  const parent = await startSubgraph(platform, accounts, { work: false });
  const ctx = parent.systemContext('prove');
  const accountId = await createAccount(ctx, { email: 'ada@example.com', passwordHash: 'x', role: 'CUSTOMER' });
  const owner = parent.context(sessionOf(accountId));
  const receivers = [await startReceiver(), await startReceiver()] as const;
  const [honest, bad] = receivers;
  const secrets = new Map<Receiver, string>();
  for (const receiver of receivers) secrets.set(receiver, (await addEndpoint(owner, { url: receiver.url })).secret);
  let deliveries = 0;
  bad.behave(() => (deliveries++ === 0 || random.below(4) === 0 ? (TRICKS[random.below(TRICKS.length)] ?? 500) : 204));

  let told = 0;
  const tell = () =>
    inTransaction(parent.systemContext('prove'), ({ em }) => {
      const planId = `plan_${told++}`;
      return appendEvents(em, { type: 'residential_plan.paused', at: systemClock.now(), accountId, subject: planId, data: { planId } });
    });

  const port = await freePorts(1);
  const load = async () => {
    const options = JSON.stringify({ databaseUrl: database.url, vendors: NOWHERE, port, environment });
    const child = spawn(process.execPath, ['test/prove/billing/serve-accounts.ts', options], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  };
  // The next process is loaded while one runs.
  let unborn = load();
  /** Each process starts an hour later: what a dead one has claimed is free again, and failed deliveries are due. */
  const start = async (hours: number) => {
    const child = await unborn;
    child.stdin.write(`${hours * HOUR}\n`);
    await once(child.stdout, 'data');
    return child;
  };

  let caught = 0;
  for (let kill = 0; kill < kills; kill++) {
    const child = await start(kill);
    unborn = load();
    const dies = once(child, 'exit');
    const before = honest.requests.length;
    for (let fact = 0; fact < FACTS_PER_LIFE; fact++) await tell();
    // Kill it in the middle of its work: some events are delivered, others wait.
    const hasBegun = () => honest.requests.length > before && deliveries > 0;
    for (let looks = 0; looks < 2_000 && !hasBegun(); looks++) await pause(5);
    await pause(random.below(MAX_LIFE_MS));
    child.kill('SIGKILL');
    await dies;
    if (honest.heard.length < told) caught += 1;
  }
  const refused = bad.requests.length - bad.heard.length;
  bad.behave(() => 204);
  const last = await start(kills + 48);
  const lastTold = `plan_${told - 1}`;
  const isDone = (receiver: Receiver) => receiver.heard.at(-1)?.data['product_id'] === lastTold;
  for (let looks = 0; looks < 600 && !receivers.every(isDone); looks++) await pause(100);

  let twice = 0;
  for (const receiver of receivers) {
    const order = receiver.heard.map(({ data }) => Number(String(data['product_id']).slice('plan_'.length)));
    expect([...new Set(order)], `all of it, seed ${SEED}`).toEqual(Array.from({ length: told }, (_, index) => index));
    expect(order, `in order, seed ${SEED}`).toEqual(order.toSorted((one, other) => one - other));
    twice += order.length - told;
    // Repeats have the same id.
    expect(new Set(receiver.heard.map(({ id }) => id)).size).toBe(told);
    for (const { headers, body } of receiver.requests) expect(isSigned(headers, body, secrets.get(receiver) ?? '')).toBe(true);
  }
  expect(honest.requests.length).toBe(honest.heard.length);
  expect(refused, `tricks were played, seed ${SEED}`).toBeGreaterThan(0);
  say(
    `${kills} kills, ${caught} in the middle of deliveries, ${told} events for two end points: 0 lost, 0 out of order, ${twice} twice; ${refused} refused and sent again (seed ${SEED})`,
  );
  last.kill('SIGKILL');
  (await unborn).kill('SIGKILL');
  for (const receiver of receivers) await receiver.close();
  await parent.close();
  await platform.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});
