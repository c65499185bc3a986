// The adapter on the real graph, gateway, access and front, over three small subgraphs that implement the contracts with data in memory.
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type DocumentNode, parse } from 'graphql';
import { type Clock, lastDays, systemClock } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import type { Scope, Viewer } from '#platform/identity.ts';
import { type Log, createLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { contractOf, supergraphSdl } from '../../schema/contracts.ts';
import type { SubgraphName } from '../../schema/subgraphs.ts';
import { createAccess } from '../../gateway/sign-in/access.ts';
import { createFront } from '../../gateway/http/front.ts';
import { createGateway } from '../../gateway/graph/gateway.ts';
import { createRateLimiter } from '../../gateway/http/rate-limit.ts';
import { inProcessSource } from '../../gateway/graph/sources/in-process.ts';
import { type Graph, localGraph } from '../../rest-adapter/graph.ts';
import { Gateways } from '../../rest-adapter/gateways.ts';
import { createInternalGraphRoute, remoteGraph } from '../../rest-adapter/remote-graph.ts';
import type { McpExtras } from '../../rest-adapter/mcp/server.ts';
import { createMcpRoutes, createRestRoutes } from '../../rest-adapter/server.ts';
import { targetPart } from '../../edge/protocol/line-username.ts';
import { toTarget } from '../../subgraphs/residential/generation/domain/targeting.ts';
import { DOCS } from './docs-options.ts';
import type { KeyState, Loose, World } from './world.ts';

const SECRET = ['a secret of the tests'] as const;
const config = { PUBLIC_URL: 'https://proxies.example', BRAND: 'Test' };
const GB = 10n ** 9n;
const MINUTES: Record<string, number[]> = { Premium: [30, 60, 120, 240], Mobile: [30, 60, 120] };

interface Plan {
  id: string;
  owner: string;
  product: string;
  status: string;
  total: bigint;
  validUntil: string | null;
  used: bigint;
  days: Record<string, bigint>;
}

interface Context {
  viewer: Viewer;
}

export interface Memory {
  keys: Map<string, { state: KeyState; accountId: string; keyId: string; scopes: readonly Scope[] }>;
  plans: Plan[];
  static: {
    id: string;
    owner: string;
    kind: 'ISP' | 'DATACENTER';
    productId: string;
    status: string;
    quantity: number;
    proxies: string[];
  }[];
  batches: { id: string; planId: string; count: number; lines: string[]; text: string }[];
  /** Thrown once, by the next resolver of plans. */
  failNext?: Error | undefined;
}

export interface MemoryWorld extends World {
  memory: Memory;
  /** A key with every scope that any endpoint requires. */
  partnerKey(): string;
  /** Replaces members of the graph that the adapter calls; without an argument it restores the graph. */
  breakGraph(broken?: Partial<Graph>): void;
  /** Closes the port, as a process does when it stops. */
  stop(): Promise<void>;
}

const plan = (id: string, over: Partial<Plan> = {}): Plan => ({
  id,
  owner: 'acct_1',
  product: 'Premium',
  status: 'ACTIVE',
  total: 5n * GB,
  validUntil: null,
  used: 0n,
  days: {},
  ...over,
});

const ownerOf = ({ viewer }: Context): string => {
  if (viewer.kind !== 'key') throw fail('forbidden');
  return viewer.accountId;
};

function resolversOf(memory: Memory, clock: Clock) {
  let keyNumber = 0;
  const find = (id: string, context: Context): Plan => {
    const failure = memory.failNext;
    memory.failNext = undefined;
    if (failure) throw failure;
    const found = memory.plans.find((candidate) => candidate.id === id && candidate.owner === ownerOf(context));
    if (!found) throw fail('plan_not_found');
    return found;
  };
  const toPlan = (source: Plan) => ({
    ...source,
    username: `user_${source.id.slice(-1)}`,
    totalBytes: String(source.total),
    product: { code: source.product.toUpperCase(), name: source.product, sessionMinutes: MINUTES[source.product], placeQualities: [] },
    usage: { planId: source.id, totalBytes: String(source.total), usedBytes: String(source.used) },
    breakdown: ({ by }: { by: string }) => {
      const bytes = (of: bigint) => ({ upBytes: '0', downBytes: String(of), totalBytes: String(of) });
      const shares = source.used > 0n && by === 'HOST' ? [{ value: 'shop.example', ...bytes(source.used) }] : [];
      const span = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-15T12:00:00.000Z' };
      const others = { values: 0, ...bytes(shares.length > 0 ? 0n : source.used) };
      return { ...span, shares, others, totalBytes: String(source.used), hosts: { kept: 'PLAIN' } };
    },
    days: ({ last }: { last: number }) => lastDays(clock.now(), last).map((on) => ({ on, totalBytes: String(source.days[on] ?? 0n) })),
  });
  return {
    accounts: {
      Query: {
        callerOfApiKey(_: unknown, { key }: { key: string }) {
          if (!/^egress_live_\d+$/.test(key)) throw fail('key_malformed');
          const found = memory.keys.get(key);
          if (!found) throw fail('key_unknown');
          if (found.state === 'expired') throw fail('key_expired');
          if (found.state === 'revoked') throw fail('key_revoked');
          if (found.state === 'forbidden') throw fail('api_not_allowed');
          return { ...found, role: 'CUSTOMER', documentsOnly: false };
        },
        webhookEvents(_: unknown, { after }: { after?: string }) {
          if (after !== undefined) throw fail('webhook_event_not_found', { field: 'after' });
          const body = JSON.stringify({ data: { product_id: 'plan_a' } });
          return [{ id: 'evt_a', type: 'residential_plan.paused', at: '2026-01-15T12:00:00.000Z', subject: 'plan_a', body }];
        },
      },
      BillingSubscription: {
        __resolveReference: ({ id }: { id: string }) => ({
          id,
          status: 'PAST_DUE',
          currentPeriodEnd: '2026-02-15T12:00:00.000Z',
          amount: { amountMinor: 2400, currency: 'USD' },
          interval: 'MONTH',
          intervalCount: 3,
        }),
      },
    },
    residential: {
      Query: {
        residentialPlans: (_: unknown, __: unknown, context: Context) =>
          memory.plans.filter(({ owner }) => owner === ownerOf(context)).map(toPlan),
        residentialPlan: (_: unknown, { id }: { id: string }, context: Context) => toPlan(find(id, context)),
        proxyPools: () => [
          { code: 'any', name: 'Worldwide', kind: 'WORLDWIDE', states: [] },
          { code: 'de', name: 'Germany', kind: 'COUNTRY', states: [] },
          { code: 'us', name: 'United States', kind: 'COUNTRY', states: [{ code: 'texas', name: 'Texas', cities: [] }] },
        ],
        residentialProxies(_: unknown, { planId, input }: { planId: string; input: Loose }, context: Context) {
          const { product, status, id } = find(planId, context);
          if (status === 'EXPIRED') throw fail('plan_expired');
          const allowed = MINUTES[product] ?? [];
          if (!allowed.includes(input.sessionMinutes)) throw fail('time_not_allowed', { field: 'sessionMinutes', allowed });
          if (input.protocol === 'HTTPS') throw fail('parameter_invalid', { field: 'type', allowed: ['http', 'socks5'] });
          const place = targetPart('user', toTarget(input.targeting));
          const batchId = `batch_${memory.batches.length + 1}`;
          const port = input.protocol === 'HTTP' ? 7777 : 7778;
          const sticky = (index: number) =>
            input.session === 'STICKY' ? `-session-${10_000_000 + index}-sessionttl-${input.sessionMinutes}` : '';
          const lines = Array.from({ length: input.quantity }, (_each, index) => `proxy.example:${port}:${place}${sticky(index)}:pass`);
          const batch = { id: batchId, planId: id, count: lines.length, lines, text: lines.join('\n') };
          memory.batches.push(batch);
          return batch;
        },
        residentialProxyBatch(_: unknown, { id }: { id: string }, context: Context) {
          const batch = memory.batches.find((one) => one.id === id);
          if (!batch) throw fail('batch_not_found');
          find(batch.planId, context);
          return batch;
        },
        proxyLineCheck: (_: unknown, { line }: { line: string }) => {
          const [host, port, username] = line.split(':');
          const works = username !== undefined;
          return {
            works,
            problems: works ? [] : [{ code: 'UNREADABLE', message: 'This is no line.', reasonCode: 'line_unreadable', params: {} }],
            ...(works && { planId: 'plan_a', scheme: 'http', host, port: Number(port), username }),
          };
        },
      },
    },
    static: {
      StaticPlan: {
        billing: ({ id }: { id: string }) => ({ id: `sub_${id}` }),
        proxies: ({ proxies }: { proxies: string[] }, { protocol }: { protocol: string }) =>
          protocol === 'HTTPS' ? proxies.map((line) => line.replace(':8000:', ':8443:')) : proxies,
        productName: ({ productId }: { productId: string }) => `Product ${productId}`,
      },
      Query: {
        staticPlans(
          _: unknown,
          { kind, page, limit, productId }: { kind?: string; page: number; limit: number; productId?: string },
          context: Context,
        ) {
          const all = memory.static.filter(
            (item) =>
              item.owner === ownerOf(context) && (!kind || item.kind === kind) && (productId === undefined || item.productId === productId),
          );
          return { items: all.slice((page - 1) * limit, page * limit), total: all.length, page, pageCount: Math.ceil(all.length / limit) };
        },
        staticSubscriptions: (_: unknown, __: unknown, context: Context) => memory.static.filter(({ owner }) => owner === ownerOf(context)),
      },
    },
    nextKey: () => `egress_live_${++keyNumber}`,
  };
}

export interface MemoryOptions {
  /** Whether the adapter reaches the gateway over HTTP, as from another process. */
  remote?: boolean;
  clock?: Clock;
  log?: Log;
  more?: McpExtras | undefined;
}

export async function startMemoryWorld({
  remote = false,
  clock = systemClock,
  log = createLog('silent'),
  more,
}: MemoryOptions = {}): Promise<MemoryWorld> {
  const days = lastDays(clock.now(), 30);
  const memory: Memory = {
    keys: new Map(),
    plans: [
      plan('plan_a', { used: 1_234_567_890n, days: { [days[29] ?? '']: 312_500_000n, [days[0] ?? '']: 1_234_999n } }),
      plan('plan_b', { product: 'Mobile', status: 'PAUSED', validUntil: '2026-04-01T12:00:00.000Z' }),
      plan('plan_c', { status: 'EXPIRED', used: 5n * GB }),
      plan('plan_d', { owner: 'acct_2' }),
    ],
    static: [
      {
        id: 'isp_1',
        owner: 'acct_1',
        kind: 'ISP',
        productId: 'northline',
        status: 'ACTIVE',
        quantity: 2,
        proxies: ['203.0.113.7:8000:u:p', '203.0.113.8:8000:u:p'],
      },
      { id: 'dc_1', owner: 'acct_1', kind: 'DATACENTER', productId: 'frankfurt', status: 'PENDING', quantity: 1, proxies: [] },
      {
        id: 'isp_2',
        owner: 'acct_1',
        kind: 'ISP',
        productId: 'meridian',
        status: 'SUSPENDED',
        quantity: 1,
        proxies: ['203.0.113.9:8000:u:p'],
      },
      {
        id: 'isp_3',
        owner: 'acct_2',
        kind: 'ISP',
        productId: 'northline',
        status: 'ACTIVE',
        quantity: 1,
        proxies: ['203.0.113.10:8000:u:p'],
      },
    ],
    batches: [],
  };
  const metrics = createMetrics();
  const { nextKey, ...resolvers } = resolversOf(memory, clock);
  const context = (viewer: Viewer): Context => ({ viewer });
  const sources = Object.fromEntries(
    Object.entries(resolvers).map(([name, own]) => {
      const typeDefs: DocumentNode = parse(contractOf(name as SubgraphName));
      const schema = buildSubgraphSchema([{ typeDefs, resolvers: own as never }]);
      return [name, inProcessSource({ name, schema, context }, log)];
    }),
  ) as unknown as Record<string, ReturnType<typeof inProcessSource>>;
  const limiter = await createRateLimiter({ log });
  const gateway = await createGateway({
    supergraphSdl: supergraphSdl(),
    sources: { ...sources, compute: sources['static'] as never },
    log,
    metrics,
    clock,
    charge: limiter.charge,
  });
  const access = createAccess({ accounts: sources['accounts'] as never, limiter, clock, log });

  const closers: (() => Promise<unknown>)[] = [];
  let real = localGraph(gateway, access);
  if (remote) {
    const internal = createFront({
      port: 0,
      host: '127.0.0.1',
      routes: [createInternalGraphRoute({ gateway, access, secret: SECRET, clock })],
      upgrades: [],
      clock,
      log,
      metrics,
    });
    const { url } = await internal.listen();
    real = remoteGraph({ gateways: new Gateways([url]), secret: SECRET, clock });
    closers.push(
      () => real.close(),
      () => internal.close(),
    );
  }
  let broken: Partial<Graph> = {};
  const graph: Graph = {
    admit: (...given) => (broken.admit ?? real.admit)(...given),
    prepare(document) {
      const operation = real.prepare(document);
      return (...given) => (broken.prepare?.(document) ?? operation)(...given);
    },
    close: async () => {},
  };
  const [mcp, ...described] = createMcpRoutes({ graph, log, config, more });
  const front = createFront({
    port: 0,
    host: '127.0.0.1',
    routes: [...createRestRoutes({ graph, log, config, docs: DOCS }), mcp, ...described],
    upgrades: [],
    clock,
    log,
    metrics,
  });
  const { url } = await front.listen();
  closers.unshift(() => front.close());
  closers.push(
    () => gateway.close(),
    () => limiter.close(),
  );

  return {
    url,
    memory,
    async key(state = 'active') {
      const key = nextKey();
      memory.keys.set(key, {
        state,
        accountId: state === 'forbidden' ? 'acct_3' : 'acct_1',
        keyId: `key_${key}`,
        scopes: ['read', 'generate'],
      });
      return key;
    },
    partnerKey() {
      const key = nextKey();
      memory.keys.set(key, {
        state: 'active',
        accountId: 'acct_1',
        keyId: `key_${key}`,
        scopes: ['read', 'generate', 'plans', 'webhooks', 'servers', 'billing'],
      });
      return key;
    },
    unknownKey: 'egress_live_999999',
    malformedKey: 'not-a-key',
    plans: { premium: 'plan_a', mobile: 'plan_b', expired: 'plan_c', foreign: 'plan_d' },
    breakGraph: (given = {}) => (broken = given),
    stop: () => front.close(),
    async close() {
      for (const close of closers) await close();
    },
  };
}
