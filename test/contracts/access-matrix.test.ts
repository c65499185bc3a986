// Another account's things, tried through every door: each operation and subscription that takes an id, each entity by its key, each REST path, each MCP tool, as a
// customer, as a partner's key with every scope, as a member of support. The doors come from the schema: a new one without an entry here fails.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  buildSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Viewer } from '#shared/identity.ts';
import { createSubgraphRunner } from '#shared/subgraph-runner.ts';
import { ENDPOINTS } from '../../rest-adapter/endpoints/index.ts';
import { SUBGRAPHS, type SubgraphName, apiSdl, contractOf } from '../../schema/compose.ts';
import { createPlan } from '../../subgraphs/static/services/create-plan.ts';
import { keyOf, sessionOf } from '../kit/platform.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { sdkClient } from '../mcp/clients.ts';

/** What the owner has. */
type Thing =
  | 'account'
  | 'apiKey'
  | 'session'
  | 'request'
  | 'order'
  | 'invoice'
  | 'plan'
  | 'batch'
  | 'staticPlan'
  | 'subscription'
  | 'server'
  | 'passkey'
  | 'product'
  | 'none';

/** Every ID that an operation takes, and what it names; `none`: a thing of nobody. */
const IDS: Record<string, Thing> = {
  'Query.invoice.id': 'invoice',
  'Query.order.id': 'order',
  'Query.residentialPlan.id': 'plan',
  'Query.residentialProxies.planId': 'plan',
  'Query.residentialProxyBatch.id': 'batch',
  'Query.residentialProxyPreview.planId': 'plan',
  'Query.server.id': 'server',
  'Query.staticPlan.id': 'staticPlan',
  'Query.staticPlans.productId': 'product',
  'Query.supportAccount.id': 'account',
  'Mutation.apiKeyRequestRotation.id': 'apiKey',
  'Mutation.apiKeyRevoke.id': 'apiKey',
  'Mutation.orderCancel.id': 'order',
  'Mutation.passkeyRemove.id': 'passkey',
  'Mutation.proxyBatchMakeAddress.id': 'batch',
  'Mutation.proxyBatchRevokeAddress.id': 'batch',
  'Mutation.residentialPlanResetAuthentication.id': 'plan',
  'Mutation.residentialPlanSetDailyLimit.id': 'plan',
  'Mutation.sessionClose.id': 'session',
  'Mutation.supportAccountAllowApi.id': 'account',
  'Mutation.supportApiKeyIssue.input.accountId': 'account',
  'Mutation.supportApiKeyIssue.input.requestId': 'request',
  'Mutation.supportArrangementEnd.id': 'none',
  'Mutation.supportArrangementRecord.accountId': 'account',
  'Mutation.supportApiKeyRevoke.id': 'apiKey',
  'Mutation.supportApiKeyRotate.id': 'apiKey',
  'Mutation.supportCreditGrant.input.accountId': 'account',
  'Mutation.supportKeyRequestDecline.id': 'request',
  'Mutation.supportOrderRefund.input.orderId': 'order',
  'Mutation.supportOrderRemedy.id': 'order',
  'Mutation.supportSecondFactorsRemove.accountId': 'account',
  'Mutation.supportSessionsClose.accountId': 'account',
  'Mutation.supportTransferConfirm.input.orderId': 'order',
  'Mutation.vpsForceStop.id': 'server',
  'Mutation.vpsReboot.id': 'server',
  'Mutation.vpsResetPassword.id': 'server',
  'Mutation.vpsRevealPassword.id': 'server',
  'Mutation.vpsStart.id': 'server',
  'Mutation.vpsStop.id': 'server',
  'Subscription.orderChanged.id': 'order',
  'Subscription.residentialUsageChanged.planId': 'plan',
};

/** Every entity that another part of the graph may ask for by its key. `public`: it belongs to nobody. */
const ENTITIES: Record<string, Thing | 'public'> = {
  'accounts Account': 'account',
  'accounts ApiKey': 'apiKey',
  'accounts BillingSubscription': 'subscription',
  'accounts Invoice': 'invoice',
  'accounts Order': 'order',
  'compute DedicatedPlan': 'public',
  'compute DedicatedServer': 'server',
  'compute Vps': 'server',
  'compute VpsPlan': 'public',
  'residential ResidentialPlan': 'plan',
  'residential ResidentialProduct': 'public',
  'static StaticPlan': 'staticPlan',
};

const api = buildSchema(apiSdl());
type Field = GraphQLField<unknown, unknown>;
const ROOTS = [api.getQueryType(), api.getMutationType(), api.getSubscriptionType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ kind: type?.name ?? '', path: `${type?.name}.${field.name}`, field })),
);

/** The paths of the IDs inside an argument. */
function idsIn(path: string, type: GraphQLInputType): string[] {
  const named = getNamedType(type);
  if (named.name === 'ID') return [path];
  return isInputObjectType(named) ? Object.values(named.getFields()).flatMap((each) => idsIn(`${path}.${each.name}`, each.type)) : [];
}
const idsOf = ({ path, field }: (typeof ROOTS)[number]) => field.args.flatMap((arg) => idsIn(`${path}.${arg.name}`, arg.type));

/** A page's own cursor names no thing. */
const CURSORS = new Set(['after']);
const isCursor = (path: string) => CURSORS.has(path.split('.').at(-1) ?? '');

describe('the table', () => {
  test('names every ID that an operation takes, and no other', () => {
    expect(
      ROOTS.flatMap(idsOf)
        .filter((path) => !isCursor(path))
        .toSorted(),
    ).toEqual(Object.keys(IDS).toSorted());
  });

  test('names every entity that is resolved by its key, and no other', () => {
    const keyed = SUBGRAPHS.flatMap((name) =>
      parse(contractOf(name)).definitions.flatMap((node) => {
        if (node.kind !== 'ObjectTypeDefinition') return [];
        const key = node.directives?.find((directive) => directive.name.value === 'key');
        const resolvable = !key?.arguments?.some(
          ({ name: { value }, value: given }) => value === 'resolvable' && given.kind === 'BooleanValue' && !given.value,
        );
        return key && resolvable ? [`${name} ${node.name.value}`] : [];
      }),
    );
    expect(keyed.toSorted()).toEqual(Object.keys(ENTITIES).toSorted());
  });
});

const DEPTH = 2;
/** Everything that can be selected without an argument, two objects deep. */
function selectionOf(type: GraphQLOutputType, depth = DEPTH): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named)) return '{ __typename id }';
  const fields = Object.values(named.getFields()).flatMap((field) => {
    if (field.args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)) return [];
    if (isLeafType(getNamedType(field.type))) return [field.name];
    return depth > 0 ? [`${field.name} ${selectionOf(field.type, depth - 1)}`] : [];
  });
  return `{ ${['__typename', ...fields].join(' ')} }`;
}

const ONES = '1'.repeat(26);
/** Where a value of its type alone would be refused before anything is looked for. */
const WORDS: Record<string, unknown> = { pool: 'Worldwide' };

const LEAVES: Record<string, unknown> = {
  String: 'x',
  Int: 1,
  Float: 1,
  Boolean: true,
  Bytes: '5000000000',
  DateTime: '2099-01-01T00:00:00Z',
  Date: '2026-01-01',
};

let stack: Stack;
let owner: { id: string; things: Record<Thing, string>; markers: string[] };
const strangers: Record<'customer' | 'partner' | 'staff', Viewer> = {} as never;
let strangersKey: string;

function valueFor(path: string, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [valueFor(path, nullable.ofType)];
  const named = getNamedType(type);
  if (named.name === 'ID') return isCursor(path) ? undefined : owner.things[IDS[path] ?? 'none'];
  if (isEnumType(named)) return named.getValues()[0]?.name;
  if (isInputObjectType(named)) {
    const inside = Object.values(named.getFields()).filter(
      (each) => (isNonNullType(each.type) && each.defaultValue === undefined) || getNamedType(each.type).name === 'ID',
    );
    return Object.fromEntries(inside.map((each) => [each.name, valueFor(`${path}.${each.name}`, each.type)]));
  }
  return WORDS[path.split('.').at(-1) ?? ''] ?? LEAVES[named.name];
}
const wanted = (arg: GraphQLArgument, path: string) => isNonNullType(arg.type) || idsIn(path, arg.type).length > 0;

function documentOf(kind: string, path: string, field: Field) {
  const args = field.args.filter((arg) => wanted(arg, `${path}.${arg.name}`));
  const variables = Object.fromEntries(args.map((arg) => [arg.name, valueFor(`${path}.${arg.name}`, arg.type)]));
  const heads = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const uses = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  return {
    query: `${kind.toLowerCase()}${heads && `(${heads})`} { ${field.name}${uses && `(${uses})`} ${selectionOf(field.type, isListType(getNullableType(field.type)) ? 0 : DEPTH)} }`,
    variables,
  };
}

const leaks = (answer: unknown) => owner.markers.filter((marker) => JSON.stringify(answer ?? null).includes(marker));

async function ask(viewer: Viewer, { kind, path, field }: (typeof ROOTS)[number]) {
  const { query, variables } = documentOf(kind, path, field);
  const { gateway } = stack.server;
  const operation = gateway.prepare(query);
  if (kind !== 'Subscription') return gateway.execute(operation, { variables, viewer });
  const opened = await gateway.subscribe(operation, { variables, viewer });
  if (!(Symbol.asyncIterator in opened)) return opened;
  const first = idsOf({ kind, path, field }).length > 0 ? (await opened.next()).value : undefined;
  await opened.return?.();
  return { data: first?.data ?? null, errors: first?.errors };
}

/** Every row that belongs to the owner, in every table that says whose its rows are. */
async function ownersRows() {
  const tables = await stack.database.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.columns where column_name = 'account_id' and table_schema in ('accounts', 'residential', 'static', 'compute') order by 1`,
  );
  const rows: Record<string, unknown[]> = {};
  for (const { name } of tables)
    rows[name] = await stack.database.query(`select * from ${name} where account_id = $1 order by 1`, [owner.id]);
  return rows;
}

beforeAll(async () => {
  stack = await startStack();
  const { seed, database, sandbox, server } = stack;
  const alice = await seed.account({ email: 'alice-the-owner@example.com' });
  const viewer = sessionOf(alice.id);
  const run = async (query: string, variables: Record<string, unknown> = {}) => {
    const { data, errors } = await server.gateway.execute(server.gateway.prepare(query), { variables, viewer });
    if (errors) throw new Error(JSON.stringify(errors));
    return data as Record<string, Record<string, string>>;
  };
  const { token } = (await run('{ residentialOffer(product: PREMIUM, gigabytes: 5) { token } }'))['residentialOffer'] ?? {};
  const { id: order = '' } =
    (
      await run('mutation ($offer: String!) { orderPlace(offer: $offer, method: CARD, idempotencyKey: "alice-buys") { id } }', {
        offer: token,
      })
    )['orderPlace'] ?? {};
  const [{ checkout_id: checkout } = { checkout_id: '' }] = await database.query<{ checkout_id: string }>(
    'select checkout_id from accounts.customer_order where id = $1',
    [order],
  );
  sandbox.card.payCheckout(checkout);
  await stack.settle();
  const subscriptionId = `sub_${ONES}`;
  const staticPlan = await createPlan(stack.subgraphs.static.systemContext('test'), {
    orderId: 'ord_static',
    accountId: alice.id,
    productId: 'isp-northline',
    quantity: 1,
    subscriptionId,
  });
  const key = await alice.apiKey();
  await alice.cookie();
  const { id: request = '' } = (await run('mutation { apiKeyRequest(input: { kind: STANDARD }) { id } }'))['apiKeyRequest'] ?? {};
  await database.query(`
    insert into accounts.billing_subscription (id, account_id, status, current_period_end, amount_minor, currency, interval, interval_count)
      values ('${subscriptionId}', '${alice.id}', 'ACTIVE', now(), 240, 'USD', 'MONTH', 1);
    insert into compute.server (id, kind, account_id, order_id, subscription_id, plan_code, status, power_state, hostname, created_at)
      values ('vps_${ONES}', 'VPS', '${alice.id}', 'ord_v', '${subscriptionId}', 'PLANK', 'ACTIVE', 'RUNNING', 'alices-server', now());
    insert into accounts.passkey (id, account_id, credential_id, name, public_key, counter, transports, created_at)
      values ('pass_${ONES}', '${alice.id}', 'alices-credential', 'Phone', 'x', 0, '{}', now());
  `);
  const one = async (sql: string) => Object.values((await database.query<Record<string, string>>(sql))[0] ?? {})[0] ?? '';
  const plan = await one(`select id from residential.plan where account_id = '${alice.id}'`);
  const { id: batch = '' } =
    (
      await run(
        'query ($plan: ID!) { residentialProxies(planId: $plan, input: { targeting: { pool: "US" }, session: STICKY, quantity: 1 }) { id } }',
        { plan },
      )
    )['residentialProxies'] ?? {};
  const username = await one(`select username from residential.plan where account_id = '${alice.id}'`);
  const session = await one(`select id from accounts.session where account_id = '${alice.id}'`);
  const invoice = await one(`select id from accounts.invoice where account_id = '${alice.id}'`);
  const things = {
    account: alice.id,
    apiKey: key.id,
    session,
    request,
    order,
    invoice,
    plan,
    batch,
    staticPlan,
    subscription: subscriptionId,
    server: `vps_${ONES}`,
    passkey: `pass_${ONES}`,
  };
  expect(Object.entries(things).filter(([, id]) => !id)).toEqual([]);
  owner = {
    id: alice.id,
    things: { ...things, product: 'isp-northline', none: 'none_at_all' },
    markers: [
      ...Object.values(things),
      'alice-the-owner',
      username,
      await one(`select username from static.plan where account_id = '${alice.id}'`),
      'alices-server',
      key.key,
    ],
  };

  const mallory = await seed.account();
  strangersKey = (await mallory.apiKey()).key;
  strangers.customer = sessionOf(mallory.id);
  strangers.partner = { ...keyOf(mallory.id), scopes: ['read', 'generate', 'servers', 'billing'] } as Viewer;
  strangers.staff = sessionOf((await seed.account({ role: 'STAFF' })).id, true);
});
afterAll(() => stack.close());

/** What a member of support reads of any account besides their desk, to help with it. */
const STAFF_READS: readonly string[] = [
  'Query.server',
  'accounts Account',
  'accounts ApiKey',
  'accounts BillingSubscription',
  'accounts Invoice',
  'accounts Order',
  'residential ResidentialPlan',
  'static StaticPlan',
  'compute Vps',
  'compute DedicatedServer',
];
const staysHidden = (role: string, path: string) => role !== 'staff' || !STAFF_READS.includes(path);

const isSupports = (path: string) => path.split('.')[1]?.startsWith('support') ?? false;
let tried = 0;

describe('operations', () => {
  test('show the owner their own, so that a leak would be seen', async () => {
    const seen = [];
    for (const root of ROOTS.filter(
      ({ kind, path }) =>
        kind === 'Query' &&
        idsOf({ kind, path, field: api.getQueryType()?.getFields()[path.slice(6)] as Field }).length > 0 &&
        !isSupports(path),
    ))
      if (leaks((await ask(sessionOf(owner.id), root)).data).length > 0) seen.push(root.path);
    expect(seen).toEqual(
      expect.arrayContaining([
        'Query.order',
        'Query.residentialPlan',
        'Query.residentialProxies',
        'Query.residentialProxyBatch',
        'Query.server',
        'Query.staticPlan',
        'Query.invoice',
      ]),
    );
  });

  test.each(['customer', 'partner', 'staff'] as const)('none tells a %s anything of another account, or changes it', async (role) => {
    const before = await ownersRows();
    const leaked = [];
    for (const root of ROOTS.filter(({ path }) => role !== 'staff' || !isSupports(path))) {
      const answer = await ask(strangers[role], root);
      tried++;
      if (staysHidden(role, root.path)) for (const marker of leaks(answer.data)) leaked.push(`${root.path} shows ${marker}`);
    }
    expect(leaked).toEqual([]);
    expect(await ownersRows()).toEqual(before);
  });

  test.each(['customer', 'partner'] as const)("support's refuse a %s", async (role) => {
    for (const root of ROOTS.filter(({ path }) => isSupports(path))) {
      const { errors } = await ask(strangers[role], root);
      tried++;
      expect(errors?.[0]?.extensions['code'], root.path).toBe('forbidden');
    }
  });
});

describe('entities by their key', () => {
  test.each(['customer', 'partner', 'staff'] as const)('none is handed to a %s who does not own it', async (role) => {
    const handed = [];
    for (const [entity, thing] of Object.entries(ENTITIES)) {
      if (thing === 'public') continue;
      const [subgraph = '', type = ''] = entity.split(' ');
      const runner = createSubgraphRunner(stack.subgraphs[subgraph as SubgraphName], stack.platform.log);
      const query = `query ($r: [_Any!]!) { _entities(representations: $r) { __typename ... on ${type} { id } } }`;
      const { data } = await runner.execute({ query, variables: { r: [{ __typename: type, id: owner.things[thing] }] } }, strangers[role]);
      tried++;
      if (leaks(data).length > 0) handed.push(entity);
    }
    expect(handed.filter((entity) => staysHidden(role, entity))).toEqual([]);
  });
});

describe('REST and MCP', () => {
  const REQUIRED = 'sticky=false&pool=Worldwide&quantity=1';

  test.each(ENDPOINTS.map((endpoint) => [endpoint.path, endpoint] as const))("%s with another account's id", async (path) => {
    const url = path.replace('{product_id}', owner.things.plan).replace('{productType}', 'isp');
    const response = await fetch(`${stack.url}${url}?${REQUIRED}`, { headers: { authorization: `Bearer ${strangersKey}` } });
    tried++;
    expect(response.status).toBe(path.includes('{product_id}') ? 404 : 200);
    expect(leaks(await response.json())).toEqual([]);
  });

  test.each(ENDPOINTS.map((endpoint) => [endpoint.tool, endpoint] as const))("%s with another account's id", async (tool, endpoint) => {
    const client = await sdkClient(stack.url, strangersKey);
    const input = endpoint.example.input as Record<string, unknown>;
    const answer = await client.call(tool, 'product' in input ? { ...input, product: owner.things.plan } : input);
    tried++;
    expect(answer.isError ?? false).toBe('product' in input);
    expect(leaks(answer.structuredContent)).toEqual([]);
    await client.close();
  });
});

test('the matrix was walked', () => {
  process.stdout.write(`access matrix: ${tried} tries with another account's ids, 0 leaks\n`);
  expect(tried).toBeGreaterThan(150);
});
