// Three small subgraphs for tests: their data, schemas and resolvers.
import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { GraphQLScalarType, parse } from 'graphql';
import { fail } from '#platform/errors.ts';
import type { Scope, Viewer } from '#platform/identity.ts';
import type { Subgraph } from '#platform/subgraph.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key", "@shareable", "@inaccessible", "@external", "@requires"])';

const COSTED = `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key", "@composeDirective"])
      @link(url: "https://egress.example/cost/v1.0", import: ["@listSize"]) @composeDirective(name: "@listSize")
      @link(url: "https://egress.example/access/v1.0", import: ["@requiresScopes", "@session", "@staff"])
      @composeDirective(name: "@requiresScopes") @composeDirective(name: "@session") @composeDirective(name: "@staff")
    directive @requiresScopes(scopes: [[String!]!]!) on FIELD_DEFINITION
    directive @session on FIELD_DEFINITION
    directive @staff(permission: String) on FIELD_DEFINITION
    directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION`;

export const SDL = {
  accounts: `${LINK}
    type Account @key(fields: "id") { id: ID! email: String }
    type CallerIdentity @inaccessible { accountId: ID! role: String! sessionId: ID keyId: ID scopes: [String!]! documentsOnly: Boolean permissions: [String!]! impersonatedBy: ID member: CallerMember expiresAt: String }
    type CallerMember @inaccessible { accountId: ID! role: String! only: [ID!] }
    type DeviceProof @inaccessible { token: String! expiresAt: String! }
    type NewSession @inaccessible { token: String! expiresAt: String! secondFactors: [String!]! account: Account! device: DeviceProof }
    type WebhookReceipt @inaccessible { stored: Boolean! }
    type Query {
      me: Account
      viewerKind: String!
      callerOfApiKey(key: String!): CallerIdentity! @inaccessible
      callerOfSession(token: String!): CallerIdentity! @inaccessible
    }
    type Mutation {
      sessionCreate(email: String!, password: String!, verification: String, devices: [String!]): NewSession! @inaccessible
      sessionEnd(token: String!): Boolean! @inaccessible
      webhookReceive(source: String!, body: String!, signature: String!): WebhookReceipt! @inaccessible
    }`,
  plans: `${COSTED}
    interface Node { id: ID! }
    type Account @key(fields: "id", resolvable: false) { id: ID! }
    type Plan implements Node @key(fields: "id") { id: ID! name: String! owner: Account! weight: Int! siblings(first: Int): [Plan!]! @listSize(slicingArguments: ["first"]) parent: Plan broken: String refused: String }
    type Bundle implements Node @key(fields: "id") { id: ID! title: String! }
    scalar Bytes
    type Query { plans(first: Int): [Plan!]! @listSize(slicingArguments: ["first"]) plan(id: ID!, size: Bytes): Plan nodes: [Node!]! strict: Plan!
      scoped: [Plan!] @requiresScopes(scopes: [["plans"]]) pageOnly: String @session deskOnly: Desk @staff(permission: "plans") }
    type Desk { notes: [String!]! }
    type Mutation { planRename(id: ID!, name: String!): Plan! @requiresScopes(scopes: [["servers"]]) planForget(id: ID!): Boolean @session planCount: Int }
    type Subscription { planChanged(id: ID): Plan! }`,
  meter: `${LINK}
    type Plan @key(fields: "id") { id: ID! weight: Int! @external used: Int cost: Int @requires(fields: "weight") needed: Int! usedBy: Account }
    type Bundle @key(fields: "id") { id: ID! used: Int }
    type Account @key(fields: "id", resolvable: false) { id: ID! }
    type Query { meterReady: Boolean! }`,
} as const;

export const SUPERGRAPH = (() => {
  const composed = composeServices(Object.entries(SDL).map(([name, sdl]) => ({ name, typeDefs: parse(sdl), url: `test://${name}` })));
  if (composed.errors) throw new Error(composed.errors.map((error) => error.message).join('\n'));
  return composed.supergraphSdl;
})();

interface FakeKey {
  accountId: string;
  keyId: string;
  scopes: Scope[];
  failure?: 'key_expired' | 'key_revoked' | 'api_not_allowed';
}

/** The subgraphs' data, and a record of the calls to them. */
export interface World {
  plans: Map<string, { id: string; name: string; ownerId: string }>;
  keys: Map<string, FakeKey>;
  sessions: Map<string, { accountId: string; sessionId: string; role?: string; permissions?: string[] }>;
  /** How often each of meter's resolvers and lookups ran. */
  calls: { meterReferences: string[]; keyLookups: number };
  /** Look-ups of keys and sessions wait for this promise. */
  lookups: Promise<void> | undefined;
  /** The viewers of open planChanged sources. */
  openSubscriptions: Set<Viewer>;
  publish(id: string): void;
  webhooks: { source: string; body: string; signature: string }[];
  signIns: Viewer[];
}

export function createWorld(): World & { listeners: Set<(id: string) => void> } {
  const listeners = new Set<(id: string) => void>();
  const plan = (id: string, ownerId: string) => [id, { id, name: `Plan ${id}`, ownerId }] as const;
  return {
    plans: new Map([plan('1', 'a'), plan('2', 'b'), plan('3', 'a')]),
    keys: new Map([
      ['key-a', { accountId: 'a', keyId: 'k1', scopes: ['read', 'generate'] }],
      ['key-servers', { accountId: 'a', keyId: 'k2', scopes: ['servers'] }],
    ]),
    sessions: new Map([['token-a', { accountId: 'a', sessionId: 's1' }]]),
    calls: { meterReferences: [], keyLookups: 0 },
    lookups: undefined,
    openSubscriptions: new Set(),
    publish: (id) => listeners.forEach((listener) => listener(id)),
    webhooks: [],
    signIns: [],
    listeners,
  };
}

interface Context {
  viewer: Viewer;
  signal?: AbortSignal;
}

/** `contracts`: as they are written, or changed ones, whose new fields are null. */
export function subgraphsOf(
  world: ReturnType<typeof createWorld>,
  contracts: Readonly<Record<keyof typeof SDL, string>> = SDL,
): Subgraph[] {
  const context = (viewer: Viewer, signal?: AbortSignal): Context => ({ viewer, ...(signal && { signal }) });
  const planOf = (id: string) => {
    const found = world.plans.get(id);
    return found && { __typename: 'Plan', ...found };
  };
  const system = ({ viewer }: Context) => {
    if (viewer.kind !== 'system') throw fail('forbidden');
  };
  const resolvers = {
    accounts: {
      Account: { __resolveReference: ({ id }: { id: string }) => ({ id, email: `${id}@example.test` }) },
      Query: {
        me: (_: unknown, __: unknown, { viewer }: Context) =>
          viewer.kind === 'session' || viewer.kind === 'key' ? { id: viewer.accountId, email: `${viewer.accountId}@example.test` } : null,
        viewerKind: (_: unknown, __: unknown, { viewer }: Context) => viewer.kind,
        async callerOfApiKey(_: unknown, { key }: { key: string }, viewer: Context) {
          system(viewer);
          world.calls.keyLookups++;
          await world.lookups;
          if (!key.startsWith('key-')) throw fail('key_malformed');
          const found = world.keys.get(key);
          if (!found) throw fail('key_unknown');
          if (found.failure) throw fail(found.failure);
          return { ...found, role: 'CUSTOMER', permissions: [] };
        },
        async callerOfSession(_: unknown, { token }: { token: string }, viewer: Context) {
          system(viewer);
          await world.lookups;
          const found = world.sessions.get(token);
          if (!found) throw fail('session_invalid');
          return { role: 'CUSTOMER', permissions: [], ...found, scopes: [] };
        },
      },
      Mutation: {
        sessionCreate(_: unknown, { email, password }: { email: string; password: string }, { viewer }: Context) {
          world.signIns.push(viewer);
          if (password === 'slow down') throw fail('too_many_attempts', { retry_after_seconds: 30 });
          if (password !== 'correct horse') throw fail('credentials_wrong');
          world.sessions.set('token-new', { accountId: 'a', sessionId: 's2' });
          return { token: 'token-new', expiresAt: '2026-01-16T12:00:00.000Z', secondFactors: [], account: { id: 'a', email } };
        },
        sessionEnd: (_: unknown, { token }: { token: string }) => world.sessions.delete(token),
        webhookReceive(_: unknown, given: { source: string; body: string; signature: string }) {
          if (given.signature !== 'good') throw fail('signature_invalid');
          world.webhooks.push(given);
          return { stored: true };
        },
      },
    },
    plans: {
      Node: { __resolveType: ({ __typename }: { __typename: string }) => __typename },
      Bytes: new GraphQLScalarType({
        name: 'Bytes',
        parseValue(value) {
          if (typeof value !== 'string' || !/^\d+$/.test(value)) throw new TypeError('not a whole number of bytes');
          return BigInt(value);
        },
      }),
      Plan: {
        __resolveReference: ({ id }: { id: string }) => planOf(id),
        owner: ({ ownerId }: { ownerId: string }) => ({ id: ownerId }),
        weight: ({ id }: { id: string }) => Number(id) * 10,
        siblings: (_: unknown, { first }: { first?: number }) => [...world.plans.keys()].slice(0, first).map(planOf),
        parent: ({ id }: { id: string }) => planOf(String(Number(id) - 1)) ?? null,
        broken: () => {
          throw new Error('connection string postgres://root:secret@db');
        },
        refused: () => {
          throw fail('plan_expired', { field: 'id', allowed: ['1'] });
        },
      },
      Query: {
        plans: (_: unknown, { first }: { first?: number }) => [...world.plans.keys()].slice(0, first).map(planOf),
        plan: (_: unknown, { id }: { id: string }) => {
          if (id === 'gone') throw fail('plan_not_found');
          return planOf(id) ?? null;
        },
        nodes: () => [planOf('1'), { __typename: 'Bundle', id: '2', title: 'Two' }, planOf('13') ?? planOf('3')],
        strict: () => null,
        scoped: (_: unknown, __: unknown, { viewer }: Context) => {
          if (viewer.kind === 'key' && !viewer.scopes.includes('plans')) throw fail('forbidden');
          return [planOf('1')];
        },
      },
      Mutation: {
        planRename: (_: unknown, { id, name }: { id: string; name: string }) => {
          const found = world.plans.get(id);
          if (!found) throw fail('plan_not_found');
          found.name = name;
          return planOf(id);
        },
        planForget: (_: unknown, { id }: { id: string }) => world.plans.delete(id),
        planCount: () => world.plans.size,
      },
      Subscription: {
        planChanged: {
          subscribe: (_: unknown, { id }: { id?: string }, { viewer }: Context) => changes(world, viewer, id),
          resolve: (id: string) => planOf(id),
        },
      },
    },
    meter: {
      Plan: {
        __resolveReference: ({ id, weight }: { id: string; weight?: number }) => {
          world.calls.meterReferences.push(id);
          return { id, weight };
        },
        used: ({ id }: { id: string }) => {
          if (id === '13') throw fail('plan_expired');
          return Number(id) * 100;
        },
        cost: ({ weight }: { weight: number }) => weight * 2,
        needed: ({ id }: { id: string }) => (id === '2' ? null : Number(id)),
        usedBy: ({ id }: { id: string }) => ({ id: `user-${id}` }),
      },
      Bundle: { __resolveReference: ({ id }: { id: string }) => ({ id }), used: ({ id }: { id: string }) => Number(id) * 1_000 },
      Query: { meterReady: () => true },
    },
  };
  return (['accounts', 'plans', 'meter'] as const).map((name) => {
    const schema = buildSubgraphSchema({ typeDefs: parse(contracts[name]), resolvers: resolvers[name] as never });
    const contract = schema.getQueryType()?.getFields()['_service'];
    if (contract) contract.resolve = () => ({ sdl: contracts[name] });
    return { name, schema, context };
  });
}

/** Waits for ever between events, as a real source does. */
function changes(world: ReturnType<typeof createWorld>, viewer: Viewer, only: string | undefined): AsyncIterableIterator<string> {
  const queue: string[] = [];
  let wake: (() => void) | undefined;
  let over = false;
  const listener = (id: string) => {
    if (only !== undefined && id !== only) return;
    queue.push(id);
    wake?.();
  };
  world.listeners.add(listener);
  world.openSubscriptions.add(viewer);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (!queue.length && !over) {
        await new Promise<void>((resume) => {
          wake = resume;
        });
      }
      const value = queue.shift();
      return value === undefined || over ? { done: true, value: undefined } : { done: false, value };
    },
    async return() {
      over = true;
      world.listeners.delete(listener);
      world.openSubscriptions.delete(viewer);
      wake?.();
      return { done: true, value: undefined };
    },
  };
}
