// Proves the inventory: many concurrent purchases, cancellations, exchanges and actions of support on one database; no address ever has two holders, is
// lost, or is sold without a holder. `prove(true)` runs a fiftieth, SCALE=0.2 a fifth.
import { Client, Pool } from 'pg';
import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR, MINUTE, TestClock, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { Failure } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import { newId } from '#platform/ids.ts';
import { silentLog } from '#platform/log.ts';
import { migrate } from '#platform/migrate.ts';
import { openPlatform } from '#platform/platform.ts';
import { startSubgraph } from '#platform/subgraph.ts';
import { readConfig } from '../../configuration.ts';
import { applyPlanEvent } from '../../subgraphs/static/plans/services/apply-plan-event.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { deliverPlan } from '../../subgraphs/static/delivery/services/deliver-plan.ts';
import { holdForOrder, sweepHolds } from '../../subgraphs/static/inventory/services/hold-stock.ts';
import { NOWHERE, givenVendors } from '../kit/nowhere.ts';
import { SCALE } from './scale.ts';
import { importInventory } from '../../subgraphs/static/inventory/services/import-inventory.ts';
import { changeInventory } from '../../subgraphs/static/inventory/services/inventory.ts';
import { confirmReplacement, prepareReplacement, replaceNow } from '../../subgraphs/static/delivery/services/replace-addresses.ts';
import { staticProxies } from '../../subgraphs/static/subgraph.ts';
import { databaseUrl } from '../kit/postgres.ts';
import { createRandom } from '../../sandbox/random.ts';
import type { StaticProviders } from '../../subgraphs/static/providers.ts';

/** Power cuts are not tested here, so durability is off. */
const NOT_DURABLE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
/** PostgreSQL's code for a statement timeout: it was rolled back and may be retried. */
const isTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === '57014';

const FULL = { deeds: 50_000, addresses: 2_000, atOnce: 24 };
const PRODUCTS = ['isp-northline', 'datacenter'] as const;

/** Invariants that must always hold; each query returns a number of violations. */
const INVARIANTS = `
  select
    (select count(*)::int from static.address a full join (select * from static.tenure where ended_at is null) t
       on t.address_id = a.id and t.plan_id = a.plan_id
       where (a.plan_id is not null and t.plan_id is null) or a.id is null) as "holders and history differ",
    (select count(*)::int from static.plan p where status in ('ACTIVE', 'SUSPENDED')
       and quantity <> (select count(*) from static.address where plan_id = p.id)) as "plans with too few or too many",
    (select count(*)::int from static.plan p join static.address a on a.plan_id = p.id
       where status in ('PENDING', 'CANCELLED', 'EXPIRED')) as "held by plans that hold none",
    (select count(*)::int from static.address where plan_id is not null and (hold_id is not null or retired_at is not null)) as "sold and held or retired",
    (select count(*)::int from static.tenure one join static.tenure other on one.address_id = other.address_id and one.ctid < other.ctid
       where tstzrange(one.started_at, one.ended_at) && tstzrange(other.started_at, other.ended_at)) as "two holders at one time",
    (select count(*)::int from static.tenure one join static.tenure other on one.address_id = other.address_id and one.plan_id <> other.plan_id
       where other.started_at >= one.ended_at and other.started_at < one.ended_at + interval '59 minutes'
       and other.started_at >= one.started_at) as "sold before its rest was over"`;

/** Resolves with whether the proof holds. `smoke`: a fiftieth of the operations; SCALE=0.3: that share. */
export async function prove(smoke: boolean): Promise<boolean> {
  const deeds = Math.round(FULL.deeds * (smoke ? 0.02 : SCALE));
  const size = smoke ? { deeds, addresses: 200, atOnce: 16 } : { ...FULL, deeds };
  const seed = Number(process.env['SEED'] ?? randomBytes(3).readUIntBE(0, 3));
  const dataDir = mkdtempSync(join(tmpdir(), 'egress-prove-'));
  const postgres = await openEmbeddedPostgres(join(dataDir, 'postgres'), NOT_DURABLE);
  const admin = new Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query('create database prove');
  await admin.end();
  const url = databaseUrl(postgres.url, 'prove');
  await migrate(url);
  const clock = new TestClock();
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    DATABASE_POOL: String(size.atOnce),
    DATABASE_WAIT_MS: '15000',
    ADDRESS_REST_HOURS: '1',
    STATIC_DELIVERY_HOURS: '100000',
  });
  const platform = await openPlatform(config, url, givenVendors(NOWHERE), { clock, log: silentLog });
  const subgraph = await startSubgraph(platform, staticProxies);
  const sql = new Pool({ connectionString: url, max: 8 });
  try {
    return await play({ size, seed, clock, sql, subgraph });
  } finally {
    await sql.end();
    await subgraph.close();
    await platform.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(postgres.directory, { recursive: true, force: true });
  }
}

interface World {
  size: typeof FULL;
  seed: number;
  clock: TestClock;
  sql: Pool;
  subgraph: Awaited<ReturnType<typeof startSubgraph<StaticProviders>>>;
}

async function play({ size, seed, clock, sql, subgraph }: World): Promise<boolean> {
  const seeded = createRandom(seed);
  const random = () => seeded.below(1_000_000) / 1_000_000;
  const ctx = () => subgraph.systemContext('prove');
  const as = (accountId: string) =>
    subgraph.context({
      kind: 'session',
      accountId,
      sessionId: 'sess',
      staff: false,
      address: '127.0.0.1',
      requestId: 'req',
    } satisfies Viewer);
  const half = size.addresses / 2;
  await importInventory(
    ctx(),
    [
      'ip,port,product,location',
      ...Array.from(
        { length: size.addresses },
        (_, index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255},8000,${PRODUCTS[Number(index >= half)]},Here`,
      ),
    ].join('\n'),
  );
  const done: Record<string, number> = {};
  const count = (what: string) => (done[what] = (done[what] ?? 0) + 1);
  const live: { id: string; accountId: string }[] = [];
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  let orders = 0;

  const deeds: Record<string, () => Promise<string>> = {
    async buy() {
      const accountId = `acct_${Math.floor(random() * 500)}`;
      const productId = PRODUCTS[Number(random() < 0.5)] ?? 'datacenter';
      const quantity = 1 + Math.floor(random() ** 3 * 20);
      const orderId = `ord_${++orders}`;
      // Half of the orders reserve their addresses before they are paid; some are abandoned.
      if (random() < 0.5) {
        const wish = { known: random() < 0.5, from: accountId, method: 'CARD' as const };
        const wanted = { orderId, accountId, productId, quantity, wish, expiresAt: after(clock.now(), HOUR) };
        await inTransaction(ctx(), (tx) => holdForOrder(tx, wanted));
        if (random() < 0.3) return 'orders left lying';
      }
      const id = await createPlan(ctx(), {
        orderId,
        accountId,
        productId,
        quantity,
        subscriptionId: newId('sub', clock),
      });
      // Sometimes the plan's job runs too: only one of them delivers.
      await Promise.all([deliverPlan(ctx(), id), ...(random() < 0.2 ? [deliverPlan(ctx(), id)] : [])]);
      const { rows } = await sql.query<{ status: string }>('select status from static.plan where id = $1', [id]);
      if (rows[0]?.status === 'ACTIVE') {
        live.push({ id, accountId });
        return 'bought';
      }
      await applyPlanEvent(ctx(), id, 'refunded');
      return 'out of stock, and given up';
    },
    async leave() {
      const [plan] = live.splice(Math.floor(random() * live.length), 1);
      if (!plan) return 'nothing to leave';
      await Promise.all([
        applyPlanEvent(ctx(), plan.id, 'period_ended'),
        ...(random() < 0.3 ? [applyPlanEvent(ctx(), plan.id, 'retries_exhausted')] : []),
      ]);
      await applyPlanEvent(ctx(), plan.id, 'grace_over');
      return 'left';
    },
    async exchange() {
      const plan = pick(live);
      if (!plan) return 'nothing to exchange';
      const { rows } = await sql.query<{ id: string; ip: string }>(
        'select id, host(ip) as ip from static.address where plan_id = $1 limit 3',
        [plan.id],
      );
      const addresses = rows.slice(0, 1 + Math.floor(random() * 3));
      if (addresses.length === 0) return 'nothing to exchange';
      if (random() < 0.5) {
        const outcome = await replaceNow(ctx(), {
          planId: plan.id,
          addressIds: addresses.map(({ id }) => id),
          reason: 'OTHER',
          askedBy: 'SUPPORT',
        });
        return typeof outcome === 'string' ? `exchange ${outcome.replaceAll('_', ' ')}` : 'exchanged by support';
      }
      const { id } = await prepareReplacement(as(plan.accountId), { id: plan.id, addresses: [addresses[0]?.ip ?? ''], reason: 'OTHER' });
      const twice = await Promise.allSettled([confirmReplacement(as(plan.accountId), id), confirmReplacement(as(plan.accountId), id)]);
      const broken = twice.find((each) => each.status === 'rejected' && !(each.reason instanceof Failure) && !isTimeout(each.reason));
      if (broken?.status === 'rejected') throw broken.reason;
      return 'exchanged by owners';
    },
    async desk() {
      const ip = `10.0.${Math.floor((random() * size.addresses) / 256)}.0`;
      await changeInventory(ctx(), { addresses: [`${ip}/28`], action: random() < 0.4 ? 'RESERVE' : 'RETURN' });
      return 'deeds of the desk';
    },
    async time() {
      clock.advance(Math.floor(random() * 20) * MINUTE);
      await sweepHolds(ctx());
      return 'sweeps';
    },
  };
  const table = ['buy', 'buy', 'buy', 'buy', 'leave', 'leave', 'leave', 'exchange', 'exchange', 'desk', 'time'];

  let begun = 0;
  const began = performance.now();
  const worker = async () => {
    while (begun < size.deeds) {
      begun++;
      const name = pick(table) ?? 'buy';
      try {
        count(await (deeds[name] ?? deeds['buy'] ?? (async () => 'nothing'))());
      } catch (error) {
        if (!(error instanceof Failure) && !isTimeout(error)) throw error;
        count(error instanceof Failure ? `refused: ${error.code}` : 'waited too long, rolled back');
      }
    }
  };
  await Promise.all(Array.from({ length: size.atOnce }, worker));
  const seconds = (performance.now() - began) / 1_000;
  clock.advance(DAY);
  await sweepHolds(ctx());

  const { rows } = await sql.query<Record<string, number>>(INVARIANTS);
  const { rows: sums } = await sql.query<{ addresses: number; different: number; sold: number }>(
    'select count(*)::int as addresses, count(distinct ip)::int as different, count(plan_id)::int as sold from static.address',
  );
  const [violations = {}, total] = [rows[0], sums[0]];
  for (const [what, times] of Object.entries(done).sort((a, b) => b[1] - a[1])) console.log(`  ${String(times).padStart(7)}  ${what}`);
  console.log(
    `  ${begun} deeds by ${size.atOnce} at once in ${seconds.toFixed(0)} s, on ${total?.addresses} addresses, ${total?.sold} of them sold at the end (seed ${seed})`,
  );
  const wrong = Object.entries(violations).filter(([, times]) => times > 0);
  const lost = total?.addresses !== size.addresses || total.different !== size.addresses;
  for (const [what] of Object.entries(violations)) console.log(`  ${violations[what]}  ${what}`);
  console.log(`  ${lost ? 'addresses were LOST' : `0  addresses lost or doubled of ${size.addresses}`}`);
  const holds = wrong.length === 0 && !lost;
  if (!holds) console.error(`  again with SEED=${seed}`);
  return holds;
}
