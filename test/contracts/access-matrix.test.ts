// Tries to reach another account's objects by each operation and subscription with an id, each entity by its key, each REST path and each MCP tool: as a
// customer, with a partner's key with every scope, and as a member of support. They are read from the schema, so a new one without an entry fails.
import { isObjectType, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Viewer } from '#platform/identity.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import { methodOf } from '../../rest-adapter/endpoint.ts';
import { ENDPOINTS } from '../../rest-adapter/endpoints/index.ts';
import { restParameters } from '../../rest-adapter/rest.ts';
import { contractOf } from '../../schema/contracts.ts';
import { SUBGRAPHS, type SubgraphName } from '../../schema/subgraphs.ts';
import { rowsOfAccount } from '../kit/dump.ts';
import { sessionOf } from '../kit/platform.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { sdkClient } from '../rest-adapter/mcp/clients.ts';
import { ENTITIES, IDS, ROOTS, type Root, api, idsOf, isCursor } from './access-doors.ts';
import { EVERY_SCOPE, type Owner, seedOwner, seedStrangers } from './access-owner.ts';
import { documentOf } from './access-questions.ts';
import { rowsOf } from '../kit/tables.ts';

let stack: Stack;
let owner: Owner;
let strangers: Awaited<ReturnType<typeof seedStrangers>>;
beforeAll(async () => {
  stack = await startStack();
  owner = await seedOwner(stack);
  strangers = await seedStrangers(stack);
});
afterAll(() => stack.close());

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

const leaks = (answer: unknown) => owner.markers.filter((marker) => JSON.stringify(answer ?? null).includes(marker));

async function ask(viewer: Viewer, root: Root) {
  const { kind } = root;
  const { query, variables } = documentOf(root, owner.things);
  const { gateway } = stack.server;
  const operation = gateway.prepare(query);
  if (kind !== 'Subscription') return gateway.execute(operation, { variables, viewer });
  const opened = await gateway.subscribe(operation, { variables, viewer });
  if (!(Symbol.asyncIterator in opened)) return opened;
  const first = idsOf(root).length > 0 ? (await opened.next()).value : undefined;
  await opened.return?.();
  return { data: first?.data ?? null, errors: first?.errors };
}

/** All rows of the owner, in every table with an account id, and the cards that the processor stores. */
async function ownersRows() {
  const rows = await rowsOfAccount(stack.database.query, owner.id, SUBGRAPHS);
  const { gateway } = stack.server;
  const cards = gateway.prepare('{ me { savedCards { id isDefault } } }');
  return { ...rows, cards: (await gateway.execute(cards, { variables: {}, viewer: sessionOf(owner.id) })).data };
}

/** Operations outside the desk by which support may read any account, to help its owner. */
const STAFF_READS: readonly string[] = [
  'Query.accountData',
  'Query.computeData',
  'Query.residentialData',
  'Query.server',
  'Query.staticData',
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
    for (const root of ROOTS.filter((each) => each.kind === 'Query' && idsOf(each).length > 0 && !isSupports(each.path)))
      if (leaks((await ask(sessionOf(owner.id), root)).data).length > 0) seen.push(root.path);
    expect(seen).toEqual(
      expect.arrayContaining([
        'Query.accountData',
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

  test.each(['customer', 'partner', 'staff'] as const)('none lets a %s read or change another account', async (role) => {
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

/** Fields below the root that take an id: the cursor of a list. */
const PLACES: Record<string, (after: string) => string> = {
  'Account.activity': (after) => `{ me { activity(after: "${after}") { items { id type subject } } } }`,
  'Account.invoicePage': (after) => `{ me { invoicePage(after: "${after}") { items { id number note } } } }`,
  'Account.orderPage': (after) => `{ me { orderPage(after: "${after}") { items { id title resourceId } } } }`,
  'AccountCredit.statement': (after) => `{ me { credit { statement(after: "${after}") { items { id } } } } }`,
  'DedicatedServer.operationPage': (after) => `{ servers { operationPage(after: "${after}") { items { id } } } }`,
  'Vps.operationPage': (after) => `{ servers { operationPage(after: "${after}") { items { id command } } } }`,
  'WebhookEndpoint.attempts': (after) => `{ webhookEndpoints { attempts(after: "${after}") { items { id said } } } }`,
  'RequestLog.entries': (after) => `{ residentialPlans { requestLog { entries(after: "${after}") { id host session userId } } } }`,
  'ResidentialPlan.batches': (after) => `{ residentialPlans { batches(after: "${after}") { id } } }`,
};

/** The same for lists that only support can read. */
const SUPPORTS_PLACES: Record<string, (after: string) => string> = {
  'Payout.lines': (after) =>
    `{ supportFinance(from: "2026-01-01", to: "2026-01-31") { payouts { lines(after: "${after}") { items { id } } } } }`,
};

describe('cursors of lists', () => {
  test('are the only ids that fields below the root take', () => {
    const roots = ['Query', 'Mutation', 'Subscription'];
    const taking = Object.values(api.getTypeMap()).flatMap((type) =>
      isObjectType(type) && !roots.includes(type.name)
        ? Object.values(type.getFields()).flatMap((field) => (idsOf({ path: '', field }).length > 0 ? [`${type.name}.${field.name}`] : []))
        : [],
    );
    expect(taking.toSorted()).toEqual(Object.keys({ ...PLACES, ...SUPPORTS_PLACES }).toSorted());
  });

  test.each(Object.entries(PLACES))("%s returns nothing for another account's cursor", async (_field, question) => {
    const [{ id: deed } = { id: '' }] = await rowsOf<{ id: string }>(
      stack.database.query,
      'accounts.activity',
      { account_id: owner.id },
      { columns: 'id', orderBy: 'id desc' },
    );
    for (const place of [deed, ...Object.values(owner.things)]) {
      const operation = stack.server.gateway.prepare(question(place));
      const { data, errors } = await stack.server.gateway.execute(operation, { viewer: strangers.customer });
      tried++;
      expect(errors).toBeUndefined();
      expect(leaks(data)).toEqual([]);
    }
  });
});

test.each(Object.entries(SUPPORTS_PLACES))('%s is for support only', async (_field, question) => {
  for (const role of ['customer', 'partner'] as const) {
    const operation = stack.server.gateway.prepare(question('any'));
    const { data, errors } = await stack.server.gateway.execute(operation, { viewer: strangers[role] });
    tried++;
    expect(errors?.[0]?.extensions['code'], role).toBe('forbidden');
    expect(leaks(data)).toEqual([]);
  }
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
  const REQUIRED = 'sticky=false&pool=Worldwide&quantity=1&by=host&gigabytes=5';

  const isOfSomebody = (path: string) => /\{(?:product|plan|user|network|webhook|server|batch|order)_id\}/.test(path);

  /** What asks for nobody's thing, and is refused all the same: nothing is in stock here, and the offer of the example is not signed. */
  const REFUSED: Readonly<Record<string, number>> = { get_static_offer: 409, get_dedicated_offer: 409, place_order: 400 };

  test.each(ENDPOINTS.map((endpoint) => [`${methodOf(endpoint)} ${endpoint.path}`, endpoint] as const))(
    "%s with another account's id",
    async (_title, endpoint) => {
      const { path, example } = endpoint;
      const method = methodOf(endpoint);
      const url = path
        .replace('{product_id}', owner.things.plan)
        .replace('{user_id}', owner.things.proxyUser)
        .replace('{plan_id}', owner.things.staticPlan)
        .replace('/static-networks/{network_id}', `/static-networks/${owner.things.staticNetwork}`)
        .replace('{network_id}', owner.things.clientNetwork)
        .replace('{webhook_id}', owner.things.webhook)
        .replace('{event_id}', owner.things.webhookEvent)
        .replace('{server_id}', owner.things.server)
        .replace('{batch_id}', owner.things.batch)
        .replace('{order_id}', owner.things.order)
        .replace('{productType}', 'isp');
      const given = example.input as Record<string, unknown>;
      const inBody = restParameters(endpoint).filter(({ in: place }) => place === 'body');
      const body = Object.fromEntries(inBody.map(({ name, input }) => [name, given[input]]));
      const response = await fetch(`${stack.url}${url}${method === 'GET' ? `?${REQUIRED}` : ''}`, {
        method,
        headers: { authorization: `Bearer ${strangers.key}`, 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: JSON.stringify(body) }),
      });
      tried++;
      expect(response.status).toBe(isOfSomebody(path) ? 404 : (REFUSED[endpoint.tool] ?? 200));
      expect(leaks(await response.json())).toEqual([]);
    },
  );

  test.each(ENDPOINTS.map((endpoint) => [endpoint.tool, endpoint] as const))("%s with another account's id", async (tool, endpoint) => {
    // A new key for each tool, as all tools together exceed the rate limit of one.
    const own = await (await stack.seed.account()).apiKey({ scopes: EVERY_SCOPE });
    const client = await sdkClient(stack.url, own.key);
    const input = endpoint.example.input as Record<string, unknown>;
    const { plan: product, staticPlan: static_plan, proxyUser: user, webhook, webhookEvent: event, server, batch, order } = owner.things;
    const network = tool.includes('static') ? owner.things.staticNetwork : owner.things.clientNetwork;
    const theirs = { product, static_plan, user, network, webhook, event, server, batch, order };
    const given = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, theirs[name as 'user'] ?? value]));
    const answer = await client.call(tool, given);
    tried++;
    const isTheirs = ['product', 'static_plan', 'user', 'network', 'webhook', 'server', 'batch', 'order'].some((name) => name in input);
    expect(answer.isError ?? false).toBe(isTheirs || tool in REFUSED);
    expect(leaks(answer.structuredContent)).toEqual([]);
    await client.close();
  });
});

test('the matrix has been tried completely', () => {
  process.stdout.write(`access matrix: ${tried} tries with another account's ids, 0 leaks\n`);
  expect(tried).toBeGreaterThan(150);
});
