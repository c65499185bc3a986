// Compute with the sandbox's datacenter: dedicated machines that are ordered as accounts orders them, their media served by the product's own route, and time is
// the test's.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionResult } from 'graphql';
import { DAY, SECOND, after } from '#platform/clock.ts';
import { toFailure } from '#platform/errors.ts';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import type { HoldWish } from '#platform/holds.ts';
import type { Viewer } from '#platform/identity.ts';
import { openOffer } from '#commerce/offers.ts';
import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import { react } from '#platform/reactions.ts';
import { startSubgraph } from '#platform/subgraph.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import type { ComputeContext } from '../../../subgraphs/compute/builder.ts';
import { runOperation } from '../../../subgraphs/compute/provisioning/services/continue-operation.ts';
import { importMachines } from '../../../subgraphs/compute/machines/services/machine-inventory.ts';
import { settleServers } from '../../../subgraphs/compute/provisioning/services/settle.ts';
import { compute } from '../../../subgraphs/compute/subgraph.ts';
import { type SubscriptionVerb, type Told, logged } from '../../kit/events.ts';
import { NOWHERE } from '../../kit/nowhere.ts';
import { sessionOf, startPlatform } from '../../kit/platform.ts';
import { createDice } from '../../../sandbox/dice.ts';
import { startNameServer } from '../../../sandbox/names/name-server.ts';
import { startControllers } from '../../../sandbox/redfish/controllers.ts';
import { METAL_IDS } from '../../../sandbox/redfish/state.ts';
import { startRouter } from '../../../sandbox/router/router.ts';
import { eventsOf, rowOf, rowsOf } from '../../kit/tables.ts';
import { computeTables } from './tables.ts';

const PASSWORD = 'controller secret';
const NAMES_KEY = 'names secret';
const ROUTER_KEY = 'router secret';
const VENDORS = { card: '', mail: '', smtp: '', network: '', chat: '', crypto: '', hypervisor: '' };
/** Long for an answer of this machine, short for a test of silence. */
const TIMEOUT_MS = 400;

export interface DedicatedFact {
  id: string;
  status: string;
  power_state: string;
  login_name: string;
  os: string;
}

export async function startMetal({ machines = METAL_IDS as readonly string[], seed = 7, guarded = true } = {}) {
  const metal = { imagesUrl: 'http://127.0.0.1:9/images', seedsUrl: '', reachPort: 0, timeoutMs: TIMEOUT_MS };
  const names = { url: '', apiKey: NAMES_KEY, serverId: 'localhost', timeoutMs: TIMEOUT_MS };
  const border = { url: '', key: ROUTER_KEY, timeoutMs: TIMEOUT_MS };
  const vendors = { ...NOWHERE, metal, names, ...(guarded && { border }) };
  const platform = await startPlatform({ ADDRESS_REST_HOURS: '48' }, vendors);
  const { clock } = platform;
  const shared = { host: '127.0.0.1', port: 0, dataDir: undefined, vendors: () => VENDORS };
  const controllers = await startControllers({ ...shared, guestPort: 0, clock, dice: createDice(seed), password: PASSWORD });
  const nameServer = await startNameServer({ ...shared, apiKey: NAMES_KEY });
  const router = await startRouter({ ...shared, key: ROUTER_KEY });
  const seeds = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://seeds');
    const call = { requestId: 'req_seeds', address: '127.0.0.1', url, started: 0 };
    Promise.resolve(subgraph.routes.find(({ matches }) => matches(url.pathname))?.handle(request, response, call)).catch((error: unknown) =>
      response.writeHead(toFailure(error).status).end(),
    );
  });
  await new Promise<void>((done) => seeds.listen(0, '127.0.0.1', done));
  Object.assign(metal, { seedsUrl: `http://127.0.0.1:${(seeds.address() as AddressInfo).port}`, reachPort: controllers.guestPort });
  Object.assign(names, { url: nameServer.url });
  Object.assign(border, { url: router.url });
  // Nobody but the test carries operations on.
  const subgraph = await startSubgraph(platform, compute, { work: false });
  const jobs = ['compute.operation-continue', 'compute.reverse-name-set', 'compute.firewall-set'];
  await platform.queue.work(
    jobs.map((name) => ({ name, run: async () => {} })),
    () => context(),
  );
  const runner = createSubgraphRunner(subgraph, platform.log);
  const context = (): ComputeContext => subgraph.systemContext('test');
  let orders = 0;

  const tell = (told: Told) =>
    context().em.transactional(async (em) => {
      const fact = { ...told, at: clock.now() };
      await appendEvents(em as ComputeContext['em'], fact);
      await react(compute.reactions, { ...context(), em: em as ComputeContext['em'] }, logged(fact));
    });

  const world = {
    platform,
    clock,
    controllers,
    nameServer,
    router,
    subgraph,
    context,
    query: platform.database.query,
    tables: computeTables(platform.database.query),
    ask: (viewer: Viewer, query: string, variables: Record<string, unknown> = {}): Promise<ExecutionResult> =>
      runner.execute({ query, variables }, viewer),
    /** As above; an error of the answer is thrown. */
    async must<Data>(viewer: Viewer, query: string, variables: Record<string, unknown> = {}): Promise<Data> {
      const { data, errors } = await world.ask(viewer, query, variables);
      if (errors?.[0]) throw new Error(errors[0].message);
      return data as Data;
    },
    stock: (ids: readonly string[]) =>
      importMachines(
        context(),
        controllers.inventory.filter(({ name }) => ids.includes(name)),
      ),
    async server(orderId: string): Promise<DedicatedFact> {
      const row = await rowOf<DedicatedFact>(world.query, 'compute.server', { order_id: orderId });
      if (!row) throw new Error(`no server of ${orderId}`);
      return row;
    },
    async offer({ plan = 'FARADAY', os = 'DEBIAN_13', months = 1, accountId = 'acct_owner' } = {}): Promise<string> {
      const query = `query ($plan: DedicatedPlanCode!, $os: OperatingSystem!, $months: Int!) { dedicatedOffer(plan: $plan, months: $months, os: $os, hostname: "metal-1") { token } }`;
      return (await world.must<{ dedicatedOffer: { token: string } }>(sessionOf(accountId), query, { plan, os, months })).dedicatedOffer
        .token;
    },
    /** An order of an account that has paid before, unless the buyer is another; its stock is answered in `answerTo`. */
    async place(token: string, accountId = 'acct_owner', buyer: Partial<HoldWish> = {}): Promise<string> {
      const orderId = `ord_${++orders}`;
      const { fulfil } = openOffer(token, accountId, platform.secrets.offers, clock);
      const hold = { known: true, from: accountId, method: 'CARD' as const, ...buyer };
      const expiresAt = after(clock.now(), DAY).toISOString();
      await tell({ type: 'order.placed', subject: orderId, accountId, data: { seller: 'compute', fulfil, expiresAt, hold } });
      return orderId;
    },
    /** What was answered to accounts about the stock of an order. */
    async answerTo(orderId: string) {
      const rows = await eventsOf<{ code?: string; until?: string }>(platform.database.query, orderId, 'compute_stock.%');
      return rows.map(({ type, data }) => ({ type, ...data }));
    },
    /** A paid order: its server is PROVISIONING. */
    async order(terms: { plan?: string; os?: string; accountId?: string } = {}): Promise<string> {
      const accountId = terms.accountId ?? 'acct_owner';
      const token = await world.offer(terms);
      const orderId = await world.place(token, accountId);
      await world.pay(token, orderId, accountId);
      return orderId;
    },
    async pay(token: string, orderId: string, accountId = 'acct_owner'): Promise<void> {
      const { fulfil } = openOffer(token, accountId, platform.secrets.offers, clock);
      const period = { currentPeriodStart: clock.now().toISOString(), currentPeriodEnd: after(clock.now(), 30 * DAY).toISOString() };
      const subscription = { id: `sub_${orderId}`, version: 1, months: 1, ...period };
      await tell({ type: 'order.paid', subject: orderId, accountId, data: { seller: 'compute', fulfil, title: 'A server', subscription } });
    },
    /** What accounts tells of an order, or of the subscription of a server. */
    tell,
    async subscription(serverId: string, what: SubscriptionVerb, more: Partial<NewEvent<SubscriptionFact>['data']> = {}): Promise<void> {
      const row = await rowOf<{ subscription_id: string; subscription_version: number; account_id: string; order_id: string }>(
        world.query,
        'compute.server',
        { id: serverId },
      );
      const period = { currentPeriodStart: clock.now().toISOString(), currentPeriodEnd: after(clock.now(), 30 * DAY).toISOString() };
      const data = {
        seller: 'compute',
        orderId: row?.order_id ?? '',
        version: (row?.subscription_version ?? 0) + 1,
        status: 'ACTIVE' as const,
        cancelAtPeriodEnd: false,
        ...period,
        ...more,
      };
      const about = { subject: row?.subscription_id ?? '', accountId: row?.account_id ?? '' };
      await tell({ type: `subscription.${what}`, ...about, data });
    },
    /** Goes on with every operation, ten seconds at a time, until none runs or `seconds` have passed. Returns how many still run. */
    async run(seconds = 6 * 3_600): Promise<number> {
      for (let passed = 0; ; passed += 10) {
        await settleServers(context(), 'DEDICATED');
        const rows = await rowsOf<{ id: string }>(
          world.query,
          'compute.operation',
          { status: 'RUNNING' },
          { columns: 'id', orderBy: 'id' },
        );
        if (rows.length === 0 || passed >= seconds) return rows.length;
        for (const { id } of rows) await runOperation(context(), id);
        clock.advance(10 * SECOND);
        await controllers.tick();
      }
    },
    facts: async (subject: string) =>
      (await eventsOf(world.query, subject)).map(({ type }) => type).filter((type) => type !== 'compute_dedicated.changed'),
    async close() {
      await subgraph.close();
      await new Promise((done) => {
        seeds.close(done);
        seeds.closeAllConnections();
      });
      await controllers.close();
      await nameServer.close();
      await router.close();
      await platform.close();
    },
  };
  const { problems } = await world.stock(machines);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return world;
}

export type MetalWorld = Awaited<ReturnType<typeof startMetal>>;
