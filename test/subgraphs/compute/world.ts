// The subgraph compute with the sandbox's hypervisor. Servers are ordered with the events that accounts sends, and the test moves time.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOffer } from '#commerce/offers.ts';
import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import { SECOND } from '#platform/clock.ts';
import { reconcileMachines } from '../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { createRandom } from '../../../sandbox/random.ts';
import { CONSOLE_USER, type SandboxHypervisor, startHypervisor } from '../../../sandbox/hypervisor/hypervisor.ts';
import type { SubscriptionVerb } from '../../kit/events.ts';
import { NOWHERE } from '../../kit/nowhere.ts';
import { sessionOf } from '../../kit/platform.ts';
import type { RoomTerms } from '../../../subgraphs/compute/machines/domain/placement.ts';
import { rowOf } from '../../kit/tables.ts';
import { type BuiltServer, TIMEOUT_MS, type SubscriptionData, VENDORS, openCompute } from './room.ts';

const TOKEN = 'test@pve!egress=secret';
const CONSOLE_PASSWORD = 'a console password';

interface PlankTerms {
  os?: string;
  extraIpv4?: number;
  accountId?: string;
  backups?: boolean;
  location?: string;
}

interface ComputeTerms {
  last?: string;
  room?: RoomTerms;
  /** The hypervisor is as after its installation. */
  bare?: boolean;
  /** Where images for templates are. */
  imageMirror?: string;
  /** Of a request to the hypervisor. */
  timeoutMs?: number;
}

export async function startCompute({
  last = '127.80.0.60',
  room: rooms,
  bare = false,
  imageMirror,
  timeoutMs = TIMEOUT_MS,
}: ComputeTerms = {}) {
  const snippetsDir = await mkdtemp(join(tmpdir(), 'snippets-'));
  const terms = {
    ...(rooms && { room: rooms }),
    ...(imageMirror !== undefined && { imageMirror }),
    console: { user: CONSOLE_USER, password: CONSOLE_PASSWORD },
    snippets: { storage: 'snippets', directory: snippetsDir },
    url: '',
    token: TOKEN,
    addresses: { first: '127.80.0.10', last, bits: 16 },
    gateway: '127.80.0.1',
    reachPort: 0,
    timeoutMs,
  };
  let hypervisor!: SandboxHypervisor;
  const room = await openCompute({ ...NOWHERE, hypervisor: terms }, async ({ clock }) => {
    const place = { host: '127.0.0.1', port: 0, guestPort: 0, dataDir: undefined, snippetsDir, consolePassword: CONSOLE_PASSWORD };
    hypervisor = await startHypervisor({ ...place, bare, clock, random: createRandom(7), token: TOKEN, vendors: () => VENDORS });
    Object.assign(terms, { url: hypervisor.url, reachPort: hypervisor.guestPort });
  });
  const { platform, clock, context } = room;

  const world = {
    ...room,
    hypervisor,
    /** Reads the resource use of all machines once. */
    look: async () => context().providers.datacenter?.use.look(),
    /** Appends the event of accounts that an order is paid. Returns the order's id. */
    async pay(fulfil: Record<string, unknown>, { accountId = 'acct_owner', orderId = room.newOrder(), version = 1 } = {}): Promise<string> {
      await room.paid(fulfil, { accountId, orderId, version });
      return orderId;
    },
    /** Orders and pays a new Plank. Returns the order's id. */
    async order({
      os = 'UBUNTU_24_04',
      extraIpv4 = 0,
      accountId = 'acct_owner',
      backups = false,
      location,
    }: PlankTerms = {}): Promise<string> {
      const { vpsOffer } = await world.must<{ vpsOffer: { token: string } }>(
        sessionOf(accountId),
        `query ($os: OperatingSystem!, $extra: Int!, $backups: Boolean!, $location: String) { vpsOffer(plan: PLANK, months: 1, os: $os, extraIpv4: $extra, backups: $backups, location: $location) { token } }`,
        { os, extra: extraIpv4, backups, location },
      );
      return world.pay(openOffer(vpsOffer.token, accountId, platform.secrets.offers, clock).fulfil, { accountId });
    },
    /** Continues all operations in steps of two seconds, until none runs or `seconds` have passed. Returns how many still run. */
    run: (seconds = 2_400): Promise<number> => room.carryOn(seconds, { step: 2, tick: () => hypervisor.tick() }),
    /** A new Plank that has been built. */
    built: (terms: PlankTerms = {}): Promise<BuiltServer> => room.built(world.order(terms), world.run),
    /** Makes an offer for a change of a server, and returns its terms as accounts reads them. */
    async change(field: string, args: string, accountId = 'acct_owner') {
      const { offer } = await world.must<{ offer: { token: string } }>(
        sessionOf(accountId),
        `{ offer: ${field}(${args}) { token total { amountMinor } } }`,
      );
      return openOffer(offer.token, accountId, platform.secrets.offers, clock);
    },
    /** Appends an event of accounts about the server's subscription, by default with the server's present period. */
    async tell(type: SubscriptionFact, orderId: string, told: SubscriptionData = {}): Promise<void> {
      const server = await rowOf<{ period_start: Date; period_end: Date }>(world.query, 'compute.server', { order_id: orderId });
      if (!server) throw new Error(`no server of ${orderId}`);
      const period = { currentPeriodStart: server.period_start.toISOString(), currentPeriodEnd: server.period_end.toISOString() };
      await room.subscription({ order_id: orderId }, type.slice('subscription.'.length) as SubscriptionVerb, { ...period, ...told });
    },
    /** Appends the event of accounts that support has suspended or restored an account. */
    suspend: (suspended: boolean, accountId = 'acct_owner'): Promise<void> =>
      room.tell({ type: suspended ? 'account.suspended' : 'account.restored', accountId, subject: accountId, data: { reason: 'A test.' } }),
    /** Appends the event of accounts that the payment of an order is disputed, or that the dispute is settled. */
    async freeze(frozen: boolean, orderId: string): Promise<void> {
      const server = await rowOf<{ subscription_id: string; account_id: string }>(world.query, 'compute.server', { order_id: orderId });
      if (!server) throw new Error(`no server of ${orderId}`);
      const data = { seller: 'compute', orderId, subscriptionId: server.subscription_id };
      await room.tell({ type: frozen ? 'purchase.frozen' : 'purchase.thawed', accountId: server.account_id, subject: orderId, data });
    },
    /** The names of the snippets that are at the hypervisor now. */
    snippets: () => readdir(snippetsDir),
    /** Removes, as the operator, the locks that dead workers have left; the next reconciliations remove the machines under them. */
    async unlock(): Promise<void> {
      // Several machines may have one name, one from each try of a build.
      for (const machine of hypervisor.machines()) machine.lock = null;
      for (let look = 0; look < 4; look++) {
        await reconcileMachines(room.context());
        clock.advance(10 * SECOND);
        await hypervisor.tick();
      }
    },
    /** Machines without a living server, and addresses that removed servers still hold. */
    async orphans(): Promise<string[]> {
      const living = await world.tables.livingServers();
      const names = new Set(living.map(({ id }) => id.replace('_', '-')));
      const held = await world.tables.addressesOfRemoved();
      return [
        ...hypervisor
          .machines()
          .map(({ name }) => name)
          .filter((name) => !names.has(name)),
        ...held.map(({ ip }) => ip),
      ];
    },
    async close() {
      await room.subgraph.close();
      await hypervisor.close();
      await platform.close();
      await rm(snippetsDir, { recursive: true });
    },
  };
  return world;
}

export type ComputeWorld = Awaited<ReturnType<typeof startCompute>>;
