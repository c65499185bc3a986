// The subgraph compute with the sandbox's datacenter. Dedicated servers are ordered with the events that accounts sends, install media come from the
// product's own route, and the test moves time.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DAY, after } from '#platform/clock.ts';
import { toFailure } from '#platform/errors.ts';
import type { HoldWish } from '#platform/holds.ts';
import { openOffer } from '#commerce/offers.ts';
import { importMachines } from '../../../subgraphs/compute/machines/services/machine-inventory.ts';
import { settleServers } from '../../../subgraphs/compute/provisioning/services/settle.ts';
import type { SubscriptionVerb } from '../../kit/events.ts';
import { NOWHERE } from '../../kit/nowhere.ts';
import { type TestPlatform, sessionOf } from '../../kit/platform.ts';
import { createRandom } from '../../../sandbox/random.ts';
import { startNameServer } from '../../../sandbox/names/name-server.ts';
import { startControllers } from '../../../sandbox/redfish/controllers.ts';
import { METAL_IDS } from '../../../sandbox/redfish/state.ts';
import { startRouter } from '../../../sandbox/router/router.ts';
import { eventsOf } from '../../kit/tables.ts';
import { type BuiltServer, TIMEOUT_MS, type SubscriptionData, VENDORS, openCompute } from './room.ts';

const PASSWORD = 'controller secret';
const NAMES_KEY = 'names secret';
const ROUTER_KEY = 'router secret';

interface MetalTerms {
  plan?: string;
  os?: string;
  accountId?: string;
}

/** Starts the machines' controllers, the name server, and the router in front of the machines. */
async function startDatacenter({ clock }: TestPlatform, seed: number) {
  const shared = { host: '127.0.0.1', port: 0, dataDir: undefined, vendors: () => VENDORS };
  const controllers = await startControllers({ ...shared, guestPort: 0, clock, random: createRandom(seed), password: PASSWORD });
  const nameServer = await startNameServer({ ...shared, apiKey: NAMES_KEY });
  const router = await startRouter({ ...shared, key: ROUTER_KEY });
  return { controllers, nameServer, router };
}

export async function startMetal({ machines = METAL_IDS as readonly string[], seed = 7, guarded = true } = {}) {
  const metal = { imagesUrl: 'http://127.0.0.1:9/images', seedsUrl: '', reachPort: 0, timeoutMs: TIMEOUT_MS };
  const names = { url: '', apiKey: NAMES_KEY, serverId: 'localhost', timeoutMs: TIMEOUT_MS };
  const border = { url: '', key: ROUTER_KEY, timeoutMs: TIMEOUT_MS };
  const seeds = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://seeds');
    const call = { requestId: 'req_seeds', address: '127.0.0.1', url, started: 0, logFields: {} };
    const route = room.subgraph.routes.find(({ matches }) => matches(url.pathname));
    Promise.resolve(route?.handle(request, response, call)).catch((error: unknown) => response.writeHead(toFailure(error).status).end());
  });
  let datacenter!: Awaited<ReturnType<typeof startDatacenter>>;
  const room = await openCompute({ ...NOWHERE, metal, names, ...(guarded && { border }) }, async (platform) => {
    datacenter = await startDatacenter(platform, seed);
    await new Promise<void>((done) => seeds.listen(0, '127.0.0.1', done));
    const seedsUrl = `http://127.0.0.1:${(seeds.address() as AddressInfo).port}`;
    Object.assign(metal, { seedsUrl, reachPort: datacenter.controllers.guestPort });
    Object.assign(names, { url: datacenter.nameServer.url });
    Object.assign(border, { url: datacenter.router.url });
  });
  const { platform, clock, context } = room;
  const { controllers, nameServer, router } = datacenter;

  const world = {
    ...room,
    ...datacenter,
    stock: (ids: readonly string[]) =>
      importMachines(
        context(),
        controllers.inventory.filter(({ name }) => ids.includes(name)),
      ),
    async offer({ plan = 'FARADAY', os = 'DEBIAN_13', months = 1, accountId = 'acct_owner' } = {}): Promise<string> {
      const query = `query ($plan: DedicatedPlanCode!, $os: OperatingSystem!, $months: Int!) { dedicatedOffer(plan: $plan, months: $months, os: $os, hostname: "metal-1") { token } }`;
      return (await world.must<{ dedicatedOffer: { token: string } }>(sessionOf(accountId), query, { plan, os, months })).dedicatedOffer
        .token;
    },
    /** Places an order for an offer. The buyer has paid before, unless `buyer` says otherwise. `answerTo` has the answer about its stock. */
    async place(token: string, accountId = 'acct_owner', buyer: Partial<HoldWish> = {}): Promise<string> {
      const orderId = room.newOrder();
      const { fulfil } = openOffer(token, accountId, platform.secrets.offers, clock);
      const hold = { known: true, from: accountId, method: 'CARD' as const, ...buyer };
      const expiresAt = after(clock.now(), DAY).toISOString();
      await room.tell({ type: 'order.placed', subject: orderId, accountId, data: { seller: 'compute', fulfil, expiresAt, hold } });
      return orderId;
    },
    /** The events by which compute answered accounts about the stock of an order. */
    async answerTo(orderId: string) {
      const rows = await eventsOf<{ code?: string; until?: string }>(platform.database.query, orderId, 'compute_stock.%');
      return rows.map(({ type, data }) => ({ type, ...data }));
    },
    /** Makes a paid order, whose server is PROVISIONING. Returns the order's id. */
    async order(terms: MetalTerms = {}): Promise<string> {
      const accountId = terms.accountId ?? 'acct_owner';
      const token = await world.offer(terms);
      const orderId = await world.place(token, accountId);
      await world.pay(token, orderId, accountId);
      return orderId;
    },
    async pay(token: string, orderId: string, accountId = 'acct_owner'): Promise<void> {
      const { fulfil } = openOffer(token, accountId, platform.secrets.offers, clock);
      await room.paid(fulfil, { accountId, orderId });
    },
    /** A new server whose provisioning has ended. */
    built: (terms: MetalTerms = {}): Promise<BuiltServer> => room.built(world.order(terms), world.run),
    /** Appends an event of accounts about the subscription of a server. */
    subscription: (serverId: string, what: SubscriptionVerb, told: SubscriptionData = {}): Promise<void> =>
      room.subscription({ id: serverId }, what, told),
    /** Continues all operations in steps of ten seconds, until none runs or `seconds` have passed. Returns how many still run. */
    run: (seconds = 6 * 3_600): Promise<number> =>
      room.carryOn(seconds, { step: 10, before: () => settleServers(context(), 'DEDICATED'), tick: () => controllers.tick() }),
    async close() {
      await room.subgraph.close();
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
