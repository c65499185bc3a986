// Compute with the sandbox's hypervisor: servers are ordered as accounts orders them, and time is the test's.
import type { ExecutionResult } from 'graphql';
import { DAY, SECOND, after } from '#platform/clock.ts';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import type { Viewer } from '#platform/identity.ts';
import { openOffer } from '#commerce/offers.ts';
import type { SubscriptionFact } from '#commerce/subscription-facts.ts';
import { react } from '#platform/reactions.ts';
import { startSubgraph } from '#platform/subgraph.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import type { ComputeContext } from '../../../subgraphs/compute/builder.ts';
import { runOperation } from '../../../subgraphs/compute/provisioning/services/continue-operation.ts';
import { compute } from '../../../subgraphs/compute/subgraph.ts';
import { createDice } from '../../../sandbox/dice.ts';
import { startHypervisor } from '../../../sandbox/hypervisor/hypervisor.ts';
import { logged } from '../../kit/events.ts';
import { NOWHERE } from '../../kit/nowhere.ts';
import { sessionOf, startPlatform } from '../../kit/platform.ts';
import { eventsOf, rowOf, rowsOf } from '../../kit/tables.ts';
import { computeTables } from './tables.ts';

const TOKEN = 'test@pve!egress=secret';
const VENDORS = { card: '', mail: '', smtp: '', network: '', chat: '', crypto: '', hypervisor: '' };
/** Long for an answer of this machine, short for a test of silence. */
const TIMEOUT_MS = 400;

export interface ServerFact {
  id: string;
  status: string;
  power_state: string;
  order_id: string;
  login_name: string;
}

export async function startCompute({ last = '127.80.0.60' }: { last?: string } = {}) {
  const terms = {
    url: '',
    token: TOKEN,
    addresses: { first: '127.80.0.10', last, bits: 16 },
    gateway: '127.80.0.1',
    reachPort: 0,
    timeoutMs: TIMEOUT_MS,
  };
  const vendors = { ...NOWHERE, hypervisor: terms };
  const platform = await startPlatform({ ADDRESS_REST_HOURS: '48' }, vendors);
  const { clock } = platform;
  const hypervisor = await startHypervisor({
    host: '127.0.0.1',
    port: 0,
    guestPort: 0,
    dataDir: undefined,
    clock,
    dice: createDice(7),
    token: TOKEN,
    vendors: () => VENDORS,
  });
  Object.assign(terms, { url: hypervisor.url, reachPort: hypervisor.guestPort });
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

  const world = {
    platform,
    clock,
    hypervisor,
    subgraph,
    context,
    query: platform.database.query,
    tables: computeTables(platform.database.query),
    ask: (viewer: Viewer, query: string, variables: Record<string, unknown> = {}): Promise<ExecutionResult> =>
      runner.execute({ query, variables }, viewer),
    subscribe: (viewer: Viewer, query: string, variables: Record<string, unknown> = {}) => runner.subscribe({ query, variables }, viewer),
    /** One look at the use of all machines. */
    look: async () => context().providers.datacenter?.use.look(),
    async server(orderId: string): Promise<ServerFact> {
      const row = await rowOf<ServerFact>(world.query, 'compute.server', { order_id: orderId });
      if (!row) throw new Error(`no server of ${orderId}`);
      return row;
    },
    /** What accounts announces when an order is paid. */
    async pay(
      fulfil: Record<string, unknown>,
      { accountId = 'acct_owner', orderId = `ord_${++orders}`, version = 1 } = {},
    ): Promise<string> {
      const start = clock.now();
      const period = { currentPeriodStart: start.toISOString(), currentPeriodEnd: after(start, 30 * DAY).toISOString() };
      const subscription = { id: `sub_${orderId}`, version, months: 1, ...period };
      await context().em.transactional(async (em) => {
        const event = {
          type: 'order.paid' as const,
          at: clock.now(),
          accountId,
          subject: orderId,
          data: { seller: 'compute', fulfil, title: 'A server', subscription },
        };
        await appendEvents(em as ComputeContext['em'], event);
        await react(compute.reactions, { ...context(), em: em as ComputeContext['em'] }, logged(event));
      });
      return orderId;
    },
    /** The paid order of a new Plank. */
    async order({ os = 'UBUNTU_24_04', extraIpv4 = 0, accountId = 'acct_owner', backups = false } = {}): Promise<string> {
      const { data, errors } = await world.ask(
        sessionOf(accountId),
        `query ($os: OperatingSystem!, $extra: Int!, $backups: Boolean!) { vpsOffer(plan: PLANK, months: 1, os: $os, extraIpv4: $extra, backups: $backups) { token } }`,
        { os, extra: extraIpv4, backups },
      );
      if (errors) throw new Error(errors[0]?.message);
      const { token } = (data as { vpsOffer: { token: string } }).vpsOffer;
      return world.pay(openOffer(token, accountId, platform.secrets.offers, clock).fulfil, { accountId });
    },
    /** Goes on with every operation, two seconds at a time, until none runs or `seconds` have passed. Returns how many still run. */
    async run(seconds = 2_400): Promise<number> {
      for (let passed = 0; ; passed += 2) {
        const rows = await rowsOf<{ id: string }>(
          world.query,
          'compute.operation',
          { status: 'RUNNING' },
          { columns: 'id', orderBy: 'id' },
        );
        if (rows.length === 0 || passed >= seconds) return rows.length;
        for (const { id } of rows) await runOperation(context(), id);
        clock.advance(2 * SECOND);
        await hypervisor.tick();
      }
    },
    /** A new Plank that is Active: its id. */
    async built(): Promise<string> {
      const { id } = await world.server(await world.order());
      await world.run();
      return id;
    },
    /** The terms of an offer for a change of a server, as accounts opens them. */
    async change(field: string, args: string, accountId = 'acct_owner') {
      const { data, errors } = await world.ask(sessionOf(accountId), `{ offer: ${field}(${args}) { token total { amountMinor } } }`);
      if (errors) throw new Error(errors[0]?.message);
      const { token } = (data as { offer: { token: string } }).offer;
      return openOffer(token, accountId, platform.secrets.offers, clock);
    },
    /** A fact of the server's subscription, as accounts announces it. */
    async tell(type: SubscriptionFact, orderId: string, told: Partial<NewEvent<SubscriptionFact>['data']> = {}): Promise<void> {
      const server = await rowOf<{
        subscription_id: string;
        subscription_version: number;
        account_id: string;
        period_start: Date;
        period_end: Date;
      }>(world.query, 'compute.server', { order_id: orderId });
      if (!server) throw new Error(`no server of ${orderId}`);
      const { subscription_id: subject, subscription_version, account_id: accountId, period_start, period_end } = server;
      const data = {
        seller: 'compute',
        orderId,
        version: subscription_version + 1,
        status: 'ACTIVE' as const,
        cancelAtPeriodEnd: false,
        currentPeriodStart: period_start.toISOString(),
        currentPeriodEnd: period_end.toISOString(),
        ...told,
      };
      await context().em.transactional(async (em) => {
        const event = logged({ type, at: clock.now(), accountId, subject, data });
        await react(compute.reactions, { ...context(), em: em as ComputeContext['em'] }, event);
      });
    },
    facts: async (subject: string) =>
      (await eventsOf(world.query, subject)).map(({ type }) => type).filter((type) => type !== 'compute_vps.changed'),
    /** Machines that belong to no living server, and addresses that are held by none. */
    async orphans(): Promise<string[]> {
      const living = await world.query<{ id: string }>(`select id from compute.server where status <> 'REMOVED'`);
      const names = new Set(living.map(({ id }) => id.replace('_', '-')));
      const held = await world.query<{ ip: string }>(
        `select host(ip) as ip from compute.address join compute.server on server.id = server_id where status = 'REMOVED'`,
      );
      return [
        ...hypervisor
          .machines()
          .map(({ name }) => name)
          .filter((name) => !names.has(name)),
        ...held.map(({ ip }) => ip),
      ];
    },
    async close() {
      await subgraph.close();
      await hypervisor.close();
      await platform.close();
    },
  };
  return world;
}

export type ComputeWorld = Awaited<ReturnType<typeof startCompute>>;
