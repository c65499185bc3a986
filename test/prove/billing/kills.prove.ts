// The process that receives and handles webhooks is killed hundreds of times, at random moments between storing, handling and answering one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MINUTE, systemClock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { silentLog } from '#platform/log.ts';
import { priceOffer, signOffer } from '#commerce/offers.ts';
import { openPlatform } from '#platform/platform.ts';
import { startSubgraph } from '#platform/subgraph.ts';
import { readConfig } from '../../../configuration.ts';
import { type GivenVendors, givenVendors } from '../../kit/nowhere.ts';
import { createAccount } from '../../../subgraphs/accounts/identity/services/sign-up.ts';
import { placeOrder } from '../../../subgraphs/accounts/billing/checkout/services/place-order.ts';
import { accounts } from '../../../subgraphs/accounts/subgraph.ts';
import { SECRETS } from '../../subgraphs/accounts/world.ts';
import { expectInvariants } from '../../subgraphs/accounts/billing/invariants.ts';
import { createTestDatabase } from '../../kit/database.ts';
import { sessionOf } from '../../kit/platform.ts';
import { freePorts } from '../../kit/ports.ts';
import { createRandom } from '../../../sandbox/random.ts';
import { startSandbox } from '../../../sandbox/start.ts';
import { SEED, say, scaled } from '../scale.ts';

const PAID_PER_LIFE = 4;
/** Most processes are killed at most this long after the first webhook was stored, so that some are handled and others not. The rest: at any moment. */
const LAST_MS = 250;
const MAX_LIFE_MS = 300;

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

test('a process that is killed in the middle of notices loses none and does none twice', async () => {
  const kills = scaled(500, 3);
  const random = createRandom(SEED);
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'egress-kills-'));
  const port = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const sandbox = await startSandbox({ clock: systemClock, egressUrl: () => url, ...SECRETS });
  const vendors: GivenVendors = {
    card: { secretKey: SECRETS.cardApiKey, webhookSecrets: [SECRETS.webhookSecret], apiUrl: sandbox.urls.card },
    mail: { url: sandbox.urls.smtp },
  };
  const environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_POOL: '4',
    DATABASE_WAIT_MS: '15000',
    SECRET: 'x'.repeat(40),
  };
  const platform = await openPlatform(readConfig(environment), database.url, givenVendors(vendors), { clock: systemClock, log: silentLog });
  const parent = await startSubgraph(platform, accounts, { work: false });
  const ctx = parent.systemContext('prove');
  const passwordHash = await ctx.providers.passwords.hash('a password');
  let buyers = 0;

  /** Each order by a new buyer from another network, since the number of unpaid orders is limited. */
  const order = async () => {
    const buyer = ++buyers;
    const accountId = await createAccount(ctx, { email: `buyer-${buyer}@example.com`, passwordHash, role: 'CUSTOMER' });
    const terms = priceOffer(
      {
        id: newId('off', systemClock),
        accountId,
        seller: 'compute' as const,
        title: 'VPS',
        currency: 'USD',
        fulfil: {},
        lines: [{ label: 'VPS', quantity: 1, amountMinor: 1_000 + random.below(9_000) }],
      },
      0,
      systemClock,
    );
    const input = { offer: signOffer(terms, platform.secrets.offers), method: 'CARD' as const, idempotencyKey: newId('off', systemClock) };
    const { checkoutId } = await placeOrder(
      parent.context({ ...sessionOf(accountId), address: `2001:db8:${buyer.toString(16)}::1` }),
      input,
    );
    return checkoutId ?? '';
  };
  const load = async () => {
    const options = JSON.stringify({ databaseUrl: database.url, vendors, port, environment });
    const child = spawn(process.execPath, ['test/prove/billing/serve-accounts.ts', options], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return child;
  };
  // The next processes are loaded while one runs.
  const unborn = [load(), load()];
  const start = async (aheadMs = 0) => {
    const child = (await unborn.shift()) ?? (await load());
    child.stdin.write(`${aheadMs}\n`);
    await once(child.stdout, 'data');
    return child;
  };
  const stored = async () => Number((await database.query<{ count: string }>('select count(*) from accounts.inbox'))[0]?.count);
  const waiting = async () =>
    Number((await database.query<{ count: string }>('select count(*) from accounts.inbox where processed_at is null'))[0]?.count);

  let [caught, checkouts] = [0, await Promise.all(Array.from({ length: PAID_PER_LIFE }, order))];
  for (let kill = 0; kill < kills; kill++) {
    const child = await start();
    unborn.push(load());
    const before = await stored();
    for (const checkout of checkouts) sandbox.card.payCheckout(checkout);
    const dies = once(child, 'exit');
    const isSeen = random.below(4) > 0;
    for (let looks = 0; isSeen && looks < 1_000 && (await stored()) === before; looks++) await pause(2);
    await pause(random.below(isSeen ? LAST_MS : MAX_LIFE_MS));
    child.kill('SIGKILL');
    await dies;
    if ((await waiting()) > 0) caught += 1;
    checkouts = await Promise.all(Array.from({ length: PAID_PER_LIFE }, order));
  }
  // Started later, so that claims of dead processes have expired.
  const last = await start(4 * MINUTE);
  await sandbox.card.deliver();
  // Until nothing is left.
  for (let [left, looks] = [Number.POSITIVE_INFINITY, 0]; left > 0 && looks < 300; looks++) {
    await sandbox.card.deliver();
    const now = (await waiting()) + (await unpaid());
    if (now < left) looks = 0;
    left = Math.min(left, now);
    await pause(200);
  }
  async function unpaid(): Promise<number> {
    const paid = sandbox.card
      .sessions()
      .filter(({ payment_status: status }) => status === 'paid')
      .map(({ id }) => id);
    const [row] = await database.query<{ count: string }>(
      `select count(*) from accounts.customer_order where checkout_id = any($1) and status <> 'PAID'`,
      [paid],
    );
    return Number(row?.count);
  }
  // The webhooks that report a payment.
  const answered = sandbox.card.attempts().filter(({ kind, status }) => kind.startsWith('checkout.session.') && status === 200);
  const acknowledged = new Set(answered.map(({ messageId }) => messageId));
  const known = new Set((await database.query<{ id: string }>('select notice_id as id from accounts.inbox')).map(({ id }) => id));
  // Some webhooks were never acknowledged, however often they were sent: those payments are found by asking.
  expect(
    [...acknowledged].filter((id) => !known.has(id)),
    `seed ${SEED}`,
  ).toEqual([]);
  expect(await waiting(), `seed ${SEED}`).toBe(0);
  expect(await unpaid(), `seed ${SEED}`).toBe(0);
  await expectInvariants({ query: database.query, sandbox }, `seed ${SEED}`);
  const paid = sandbox.card.charges().filter(({ status }) => status === 'succeeded').length;
  say(
    `${kills} kills, ${caught} with notices stored and not yet worked on: ${acknowledged.size} notices acknowledged and none lost, ${paid} payments, 0 lost, 0 twice (seed ${SEED})`,
  );
  for (const child of [last, ...(await Promise.all(unborn))]) child.kill('SIGKILL');
  await parent.close();
  await platform.close();
  await sandbox.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});
