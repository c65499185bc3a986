// Static plans in large numbers. A page of 100 plans with 100 lines each, compared with its bare SQL and JSON.stringify: at most twice the time, also among
// a million addresses of other plans; and 1,000 addresses allocated to one order in under a second.
import { Client } from 'pg';
import { TestClock } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import { silentLog } from '#platform/log.ts';
import { openPlatform } from '#platform/platform.ts';
import { seal, unseal } from '#platform/sealing.ts';
import { startSubgraph } from '#platform/subgraph.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import { readConfig } from '../../configuration.ts';
import { createPlan } from '../../subgraphs/static/plans/services/create-plan.ts';
import { deliverPlan } from '../../subgraphs/static/delivery/services/deliver-plan.ts';
import { staticProxies } from '../../subgraphs/static/subgraph.ts';
import { NOWHERE, givenVendors } from '../kit/nowhere.ts';
import { median, openBenchWorld } from './world.ts';

const FULL = { plans: 100, lines: 100, others: 1_000_000, rounds: 15, orders: 5, taken: 1_000 };
const SHORT = { ...FULL, plans: 20, lines: 20, others: 20_000, rounds: 3, orders: 1, taken: 200 };

/** The query of the REST adapter. */
const PAGE = `query ($limit: Int!) { staticPlans(kind: ISP, page: 1, limit: $limit) { items { id status quantity proxies } total page pageCount } }`;

/** The same by hand, in as few statements as possible: the database builds the lines; passwords are decrypted and the result is stringified here. */
const BARE = `
  select p.id, p.status, p.quantity, p.username, p.password_sealed, (count(*) over ())::int as total,
    array(select host(ip) || ':' || port from static.address a where a.plan_id = p.id order by ip) as sockets
  from static.plan p where account_id = 'acct_bench' and product_id like 'isp-%' order by created_at desc, id desc limit $1`;

const PLANS = `
  insert into static.plan (id, account_id, order_id, subscription_id, product_id, quantity, status, username, password_sealed, created_at, delivered_at, deliver_by)
  select 'isp_' || translate($1, '-', '') || lpad(n::text, 25, '0'), $2, $1 || 'ord' || n, $1 || 'sub' || n, 'isp-northline', $3, 'ACTIVE', $1 || 'user' || n, $5,
    now() + n * interval '1 second', now(), now() from generate_series(1, $4::int) as n`;
const ADDRESSES = `
  insert into static.address (id, ip, port, product_id, location, plan_id, rests_until, loaded_at)
  select $1 || n, $2::inet + n, 8000, 'isp-northline', 'Here', case when $3::int = 0 then null else 'isp_' || translate($1, '-', '') || lpad((1 + (n - 1) / $3::int)::text, 25, '0') end,
    now() - interval '1 day', now() from generate_series(1, $4::int) as n`;

export async function bench(short: boolean): Promise<void> {
  const size = short ? SHORT : FULL;
  const world = await openBenchWorld();
  const sql = new Client({ connectionString: world.databaseUrl });
  await sql.connect();
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: '.data/bench', LOG_LEVEL: 'silent' });
  const platform = await openPlatform(config, world.databaseUrl, givenVendors(NOWHERE), {
    clock: new TestClock(new Date()),
    log: silentLog,
  });
  const subgraph = await startSubgraph(platform, staticProxies, { work: true });
  try {
    const { sealing } = platform.secrets;
    const ids = Array.from({ length: size.plans }, (_, index) => `isp_b${String(index + 1).padStart(25, '0')}`);
    await sql.query(PLANS, ['b', 'acct_bench', size.lines, size.plans, Buffer.alloc(0)]);
    for (const id of ids)
      await sql.query('update static.plan set password_sealed = $2 where id = $1', [id, seal('a-password-of-20-char', sealing, id)]);
    await sql.query(ADDRESSES, ['b', '10.0.0.0', size.lines, size.plans * size.lines]);

    const runner = createSubgraphRunner(subgraph, platform.log);
    const viewer: Viewer = { kind: 'key', accountId: 'acct_bench', keyId: 'key', scopes: ['read'], address: '127.0.0.1', requestId: 'req' };
    const ours = async () => JSON.stringify(await runner.execute({ query: PAGE, variables: { limit: size.plans } }, viewer));
    const bare = async () => {
      const { rows } = await sql.query<{
        id: string;
        status: string;
        quantity: number;
        username: string;
        password_sealed: Buffer;
        sockets: string[];
      }>({
        name: 'bare',
        text: BARE,
        values: [size.plans],
      });
      return JSON.stringify(
        rows.map(({ id, status, quantity, username, password_sealed: sealed, sockets }) => {
          const credentials = `:${username}:${unseal(sealed, sealing, id)}`;
          return { id, status, quantity, proxies: sockets.map((socket) => socket + credentials) };
        }),
      );
    };
    const answers = [await ours(), await bare()].map((text) => text.match(/:8000:/g)?.length);
    if (answers[0] !== size.plans * size.lines || answers[1] !== answers[0]) throw new Error(`the two do not give the same: ${answers}`);

    const alone = await compare(ours, bare, size.rounds);
    say(`${size.plans} plans x ${size.lines} lines`, alone, 'goal at most 2.00');

    const other = Math.max(1, Math.floor(size.others / 200));
    await sql.query(PLANS, ['o', 'acct_others', 100, other, Buffer.from('x')]);
    await sql.query(ADDRESSES, ['o', '11.0.0.0', 100, other * 100]);
    await sql.query(ADDRESSES, ['f', '12.0.0.0', 0, other * 100]);
    await sql.query('vacuum analyze static.address');
    await sql.query('vacuum analyze static.plan');
    const among = await compare(ours, bare, size.rounds);
    say(
      `the same among ${(other * 200).toLocaleString('en')} addresses`,
      among,
      `${(among.ours / alone.ours).toFixed(2)} times the time alone`,
    );

    const times: number[] = [];
    for (let order = 0; order < size.orders; order++) {
      const id = await createPlan(subgraph.systemContext('bench'), {
        orderId: `ord_bench_${order}`,
        accountId: 'acct_bench_buyer',
        subscriptionId: `sub_bench_${order}`,
        productId: 'isp-northline',
        quantity: size.taken,
      });
      const began = performance.now();
      for (;;) {
        await deliverPlan(subgraph.systemContext('bench'), id);
        const { rows } = await sql.query('select from static.plan where id = $1 and status = $2', [id, 'ACTIVE']);
        if (rows.length > 0) break;
      }
      times.push(performance.now() - began);
    }
    console.log(
      `  ${size.taken} addresses taken for one order, of ${(other * 100).toLocaleString('en')} free: ${median(times).toFixed(0)} ms (goal under 1000)`,
    );
  } finally {
    await sql.end();
    await subgraph.close();
    await platform.close();
    await world.close();
  }
}

/** Medians of alternating rounds, in milliseconds; the first round is a warm-up. */
async function compare(
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  rounds: number,
): Promise<{ ours: number; bare: number; ratio: number }> {
  const times: { ours: number; bare: number }[] = [];
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  for (let round = 0; round <= rounds; round++) {
    const pair = { ours: await timed(ours), bare: await timed(bare) };
    if (round > 0) times.push(pair);
  }
  return {
    ours: median(times.map((pair) => pair.ours)),
    bare: median(times.map((pair) => pair.bare)),
    ratio: median(times.map((pair) => pair.ours / pair.bare)),
  };
}

const say = (what: string, { ours, bare, ratio }: { ours: number; bare: number; ratio: number }, note: string): void =>
  console.log(`  ${what}: ${ours.toFixed(1)} ms, bare SQL and JSON.stringify ${bare.toFixed(1)} ms: ratio ${ratio.toFixed(2)} (${note})`);
