// The subgraph compute alone, whose operations continue only when the test runs them. The worlds of VPS and of dedicated servers extend it.
import { DAY, after } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import { react } from '#platform/reactions.ts';
import type { ComputeContext } from '../../../subgraphs/compute/providers.ts';
import { runOperation } from '../../../subgraphs/compute/provisioning/services/continue-operation.ts';
import { compute } from '../../../subgraphs/compute/subgraph.ts';
import { type SubscriptionVerb, type Fact, logged } from '../../kit/events.ts';
import type { GivenVendors } from '../../kit/nowhere.ts';
import type { TestPlatform } from '../../kit/platform.ts';
import { openRoom } from '../../kit/room.ts';
import { rowOf, rowsOf } from '../../kit/tables.ts';
import { computeTables } from './tables.ts';

/** A vendor's time limit: long enough for an answer on this machine, short enough for tests in which none comes. */
export const TIMEOUT_MS = 400;
/** The addresses that the sandbox's vendors have of each other: none is used here. */
export const VENDORS = { card: '', mail: '', smtp: '', network: '', chat: '', crypto: '', hypervisor: '' };
/** Jobs that only the test runs. */
const JOBS = ['compute.reprice', 'compute.operation-continue', 'compute.reverse-name-set', 'compute.firewall-set'];

/** A row of compute's servers. */
interface ServerFact {
  id: string;
  status: string;
  power_state: string;
  order_id: string;
  login_name: string;
  os: string;
}

export interface BuiltServer {
  id: string;
  orderId: string;
}

export type SubscriptionData = Partial<Fact<`subscription.${SubscriptionVerb}`>['data']>;

interface Sold {
  id: string;
  order_id: string;
  account_id: string;
  subscription_id: string;
  subscription_version: number;
}

export async function openCompute(vendors: GivenVendors, beside: (platform: TestPlatform) => Promise<void>) {
  const room = await openRoom(compute, { environment: { ADDRESS_REST_HOURS: '48' }, vendors, work: false, beside });
  const { platform, clock, context, query } = room;
  await platform.queue.work(
    JOBS.map((name) => ({ name, run: async () => {} })),
    context,
  );
  let orders = 0;
  /** A period of thirty days from now. */
  const period = () => ({ currentPeriodStart: clock.now().toISOString(), currentPeriodEnd: after(clock.now(), 30 * DAY).toISOString() });
  /** Appends an event of accounts, and runs compute's reactions to it in the same transaction. */
  const tell = (told: Fact) =>
    context().em.transactional(async (em) => {
      const fact = { ...told, at: clock.now() };
      await appendEvents(em as ComputeContext['em'], fact);
      await react(compute.reactions, { ...context(), em: em as ComputeContext['em'] }, logged(fact));
    });
  const serverOf = async (orderId: string): Promise<ServerFact> => {
    const row = await rowOf<ServerFact>(query, 'compute.server', { order_id: orderId });
    if (!row) throw new Error(`no server of ${orderId}`);
    return row;
  };
  return {
    ...room,
    tables: computeTables(query),
    tell,
    newOrder: () => `ord_${++orders}`,
    /** Appends the event of accounts that an order is paid. */
    async paid(
      fulfil: Record<string, unknown>,
      { accountId, orderId, version = 1 }: { accountId: string; orderId: string; version?: number },
    ) {
      const subscription = { id: `sub_${orderId}`, version, months: 1, ...period() };
      await tell({ type: 'order.paid', subject: orderId, accountId, data: { seller: 'compute', fulfil, title: 'A server', subscription } });
    },
    /** Appends an event of accounts about a server's subscription, by default its next version, with a period of thirty days from now. */
    async subscription(where: { id: string } | { order_id: string }, what: SubscriptionVerb, told: SubscriptionData = {}): Promise<void> {
      const sold = await rowOf<Sold>(query, 'compute.server', { ...where });
      if (!sold) throw new Error('no such server');
      const { order_id: orderId, account_id: accountId, subscription_id: subject, subscription_version: version } = sold;
      const data = {
        seller: 'compute',
        orderId,
        version: version + 1,
        status: 'ACTIVE' as const,
        cancelAtPeriodEnd: false,
        ...period(),
        ...told,
      };
      await tell({ type: `subscription.${what}`, subject, accountId, data });
    },
    server: serverOf,
    /** Continues all operations in steps of `step` seconds, until none runs or `seconds` have passed. Returns how many still run. */
    async carryOn(
      seconds: number,
      { step, before, tick }: { step: number; before?: () => Promise<unknown>; tick: () => Promise<unknown> },
    ) {
      for (let passed = 0; ; passed += step) {
        await before?.();
        const running = await rowsOf<{ id: string; next_at: Date }>(
          query,
          'compute.operation',
          { status: 'RUNNING' },
          { columns: 'id, next_at', orderBy: 'id' },
        );
        if (running.length === 0 || passed >= seconds) return running.length;
        for (const { id, next_at: due } of running) if (due <= clock.now()) await runOperation(context(), id);
        clock.advance(step * 1_000);
        await tick();
      }
    },
    /** The server of an order, after `run` has built it. */
    async built(ordered: Promise<string>, run: () => Promise<unknown>): Promise<BuiltServer> {
      const orderId = await ordered;
      const { id } = await serverOf(orderId);
      await run();
      return { id, orderId };
    },
    /** The types of the events about a server, without its `changed` events. */
    facts: async (subject: string) =>
      (await room.events(subject)).map(({ type }) => type).filter((type) => !/^compute_(vps|dedicated)\.changed$/.test(type)),
  };
}
