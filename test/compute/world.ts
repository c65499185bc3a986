// Compute with the sandbox's hypervisor: servers are ordered as accounts orders them, and time is the test's.
import type { ExecutionResult } from 'graphql';
import { SECOND } from '#shared/clock.ts';
import { appendEvents } from '#shared/events.ts';
import type { Viewer } from '#shared/identity.ts';
import { openOffer } from '#shared/offers.ts';
import { startSubgraph } from '#shared/subgraph.ts';
import { createSubgraphRunner } from '#shared/subgraph-runner.ts';
import type { ComputeContext } from '../../subgraphs/compute/builder.ts';
import { runOperation } from '../../subgraphs/compute/services/continue-operation.ts';
import { compute } from '../../subgraphs/compute/subgraph.ts';
import { createDice } from '../sandbox/dice.ts';
import { startHypervisor } from '../sandbox/hypervisor/hypervisor.ts';
import { sessionOf, startPlatform } from '../kit/platform.ts';

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
  const vendors = {
    card: { secretKey: 'sk_test_nowhere', webhookSecrets: ['whsec_nowhere'], apiUrl: 'http://127.0.0.1:9' },
    smtpUrl: 'smtp://127.0.0.1:9',
    hypervisor: terms,
  };
  const platform = await startPlatform({ ADDRESS_REST_HOURS: '48' }, vendors);
  const { clock } = platform;
  const hypervisor = await startHypervisor({
    ...{ host: '127.0.0.1', port: 0, guestPort: 0, dataDir: undefined, clock, dice: createDice(7), token: TOKEN },
    vendors: () => VENDORS,
  });
  Object.assign(terms, { url: hypervisor.url, reachPort: hypervisor.guestPort });
  // Nobody but the test carries operations on.
  const subgraph = await startSubgraph(platform, compute, { work: false });
  await platform.queue.work([{ name: 'compute.operation-continue', run: async () => {} }], () => context());
  const runner = createSubgraphRunner(subgraph, platform.log);
  const context = (): ComputeContext => subgraph.systemContext('test');
  const reactTo = compute.reactions['order.paid'];
  let orders = 0;

  const world = {
    ...{ platform, clock, hypervisor, subgraph, context },
    query: platform.database.query,
    ask: (viewer: Viewer, query: string, variables: Record<string, unknown> = {}): Promise<ExecutionResult> =>
      runner.execute({ query, variables }, viewer),
    async server(orderId: string): Promise<ServerFact> {
      const [row] = await world.query<ServerFact>('select * from compute.server where order_id = $1', [orderId]);
      if (!row) throw new Error(`no server of ${orderId}`);
      return row;
    },
    /** What accounts announces when an order is paid. */
    async pay(fulfil: object, { accountId = 'acct_owner', orderId = `ord_${++orders}` } = {}): Promise<string> {
      await context().em.transactional(async (em) => {
        const event = { type: 'order.paid', at: clock.now(), accountId, subject: orderId, data: { seller: 'compute', fulfil } };
        await appendEvents(em as ComputeContext['em'], event);
        await reactTo?.({ ...context(), em: em as ComputeContext['em'] }, { ...event, position: { tx: '0', id: '0' } });
      });
      return orderId;
    },
    /** The paid order of a new Plank. */
    async order({ os = 'UBUNTU_24_04', extraIpv4 = 0, accountId = 'acct_owner' } = {}): Promise<string> {
      const { data, errors } = await world.ask(
        sessionOf(accountId),
        `query ($os: OperatingSystem!, $extra: Int!) { vpsOffer(plan: PLANK, months: 1, os: $os, extraIpv4: $extra) { token } }`,
        { os, extra: extraIpv4 },
      );
      if (errors) throw new Error(errors[0]?.message);
      const { token } = (data as { vpsOffer: { token: string } }).vpsOffer;
      return world.pay(openOffer(token, accountId, platform.secrets.offers, clock).fulfil, { accountId });
    },
    /** Goes on with every operation, two seconds at a time, until none runs or `seconds` have passed. Returns how many still run. */
    async run(seconds = 2_400): Promise<number> {
      for (let passed = 0; ; passed += 2) {
        const rows = await world.query<{ id: string }>(`select id from compute.operation where status = 'RUNNING' order by id`);
        if (rows.length === 0 || passed >= seconds) return rows.length;
        for (const { id } of rows) await runOperation(context(), id);
        clock.advance(2 * SECOND);
        await hypervisor.tick();
      }
    },
    facts: async (subject: string) =>
      (await world.query<{ type: string }>('select type from platform.event where subject = $1 order by id', [subject]))
        .map(({ type }) => type)
        .filter((type) => type !== 'compute_vps.changed'),
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
