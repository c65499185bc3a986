// The process that takes notices and works on them is killed, hundreds of times, at any moment between a notice's storing, its work and its answer.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MINUTE, systemClock } from '#shared/clock.ts';
import { readConfig } from '#shared/config.ts';
import { newId } from '#shared/ids.ts';
import { silentLog } from '#shared/log.ts';
import { priceOffer, signOffer } from '#shared/offers.ts';
import { openPlatform } from '#shared/platform.ts';
import { startSubgraph } from '#shared/subgraph.ts';
import type { Vendors } from '#shared/vendors.ts';
import { createAccount } from '../../../subgraphs/accounts/services/sign-up.ts';
import { placeOrder } from '../../../subgraphs/accounts/services/place-order.ts';
import { accounts } from '../../../subgraphs/accounts/subgraph.ts';
import { SECRETS } from '../../accounts/world.ts';
import { expectInvariants } from '../../billing/invariants.ts';
import { createTestDatabase } from '../../kit/database.ts';
import { sessionOf } from '../../kit/platform.ts';
import { freePorts } from '../../kit/ports.ts';
import { createDice } from '../../sandbox/dice.ts';
import { startSandbox } from '../../sandbox/start.ts';
import { SEED, say, scaled } from '../scale.ts';

const PAID_PER_LIFE = 4;
/** A notice is stored, worked on and answered within this time. */
const LONGEST_LIFE_MS = 150;

test('a process that is killed in the middle of notices loses none and does none twice', async () => {
  const kills = scaled(500, 5);
  const dice = createDice(SEED);
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'egress-kills-'));
  const port = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const sandbox = await startSandbox({ clock: systemClock, egressUrl: () => url, ...SECRETS });
  const vendors: Vendors = {
    card: { secretKey: SECRETS.cardApiKey, webhookSecrets: [SECRETS.webhookSecret], apiUrl: sandbox.urls.card },
    smtpUrl: sandbox.urls.smtp,
  };
  const environment = { NODE_ENV: 'test', LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: dataDir, DATABASE_POOL: '4', SECRET: 'x'.repeat(40) };
  const platform = await openPlatform(readConfig(environment), database.url, vendors, { clock: systemClock, log: silentLog });
  const parent = await startSubgraph(platform, accounts, { work: false });
  const ctx = parent.systemContext('prove');
  const accountId = await createAccount(ctx, {
    email: 'buyer@example.com',
    passwordHash: await ctx.providers.passwords.hash('a password'),
    role: 'CUSTOMER',
  });

  const order = async () => {
    const terms = priceOffer(
      {
        ...{ id: newId('off', systemClock), accountId, seller: 'compute' as const, title: 'VPS', currency: 'USD', fulfil: {} },
        lines: [{ label: 'VPS', quantity: 1, amountMinor: 1_000 + dice.below(9_000) }],
      },
      0,
      systemClock,
    );
    const input = { offer: signOffer(terms, platform.secrets.offers), method: 'CARD' as const, idempotencyKey: newId('off', systemClock) };
    const { checkoutId } = await placeOrder(parent.context(sessionOf(accountId)), input);
    return checkoutId ?? '';
  };
  const start = async (aheadMs = 0) => {
    const options = JSON.stringify({ databaseUrl: database.url, vendors, port, environment, aheadMs });
    const child = spawn(process.execPath, ['test/prove/billing/serve-accounts.ts', options], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return child;
  };
  const waiting = async () =>
    Number((await database.query<{ count: string }>('select count(*) from accounts.inbox where processed_at is null'))[0]?.count);

  let [caught, checkouts] = [0, await Promise.all(Array.from({ length: PAID_PER_LIFE }, order))];
  for (let kill = 0; kill < kills; kill++) {
    const child = await start();
    for (const checkout of checkouts) sandbox.card.payCheckout(checkout);
    const dies = once(child, 'exit');
    await new Promise((done) => setTimeout(done, dice.below(LONGEST_LIFE_MS)));
    child.kill('SIGKILL');
    await dies;
    if ((await waiting()) > 0) caught += 1;
    checkouts = await Promise.all(Array.from({ length: PAID_PER_LIFE }, order));
  }
  // Later, so that what the dead have left counts as lost.
  const last = await start(4 * MINUTE);
  await sandbox.card.deliver();
  const deadline = Date.now() + 120_000;
  while (((await waiting()) > 0 || (await unpaid()) > 0) && Date.now() < deadline) {
    await sandbox.card.deliver();
    await new Promise((done) => setTimeout(done, 200));
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
  expect(await waiting(), `seed ${SEED}`).toBe(0);
  expect(await unpaid(), `seed ${SEED}`).toBe(0);
  await expectInvariants({ query: database.query, sandbox }, `seed ${SEED}`);
  const paid = sandbox.card.charges().filter(({ status }) => status === 'succeeded').length;
  say(`${kills} kills, ${caught} with notices stored and not yet worked on: ${paid} payments, 0 lost, 0 twice (seed ${SEED})`);
  last.kill('SIGKILL');
  await parent.close();
  await platform.close();
  await sandbox.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});
