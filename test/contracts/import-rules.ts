// House rules on imports: which file may import which.
import ts from 'typescript';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { type Rule, nodesOf } from './source-files.ts';

const subgraphOf = (path: string) => SUBGRAPHS.find((name) => path.startsWith(`subgraphs/${name}/`));
/** The composition roots, which may import everything. */
const isRoot = (path: string) => !path.includes('/') || path.startsWith('schema/');
const topOf = (path: string) => path.split('/')[0];

/** Subgraphs do not import each other: they use jobs, events and GraphQL references. */
export const noForeignImports: Rule = ({ path, imports }) => {
  if (isRoot(path)) return [];
  return imports
    .map(({ target }) => target)
    .filter((target) => subgraphOf(target) !== undefined && subgraphOf(target) !== subgraphOf(path));
};

/** Top-level rooms: the kernel knows nobody, subgraphs and nodes know the kernel, the gateway serves it all, REST and MCP sit on the gateway. The outside world knows none of them, and is known by what both sides agreed on (`#platform/sandbox-terms.ts`). */
const ROOMS: Record<string, string[]> = {
  subgraphs: ['subgraphs', 'edge'],
  edge: ['edge', 'subgraphs'],
  gateway: ['gateway', 'subgraphs'],
  'rest-adapter': ['rest-adapter', 'gateway', 'subgraphs'],
  sandbox: ['sandbox', 'subgraphs'],
};
export const noUpwardImports: Rule = ({ path, imports }) => {
  const allowed = ROOMS[topOf(path) ?? ''];
  if (!allowed || !path.includes('/')) return [];
  return imports
    .map(({ target }) => target)
    .filter((target) => Object.hasOwn(ROOMS, topOf(target) ?? '') && !allowed.includes(topOf(target) ?? ''));
};
/** The root composes everything, so nothing below it imports the root. */
export const rootKnowsTheWhole: Rule = ({ path, imports }) =>
  isRoot(path) ? [] : imports.map(({ target }) => target).filter((target) => /^[^/]+\.ts$/.test(target));

/** The platform imports no domain code, commerce only the platform, and lines those two. */
const FLOORS = ['subgraphs/shared/platform/', 'subgraphs/shared/commerce/', 'subgraphs/shared/lines/'];
export const kernelStandsAlone: Rule = ({ path, imports }) => {
  const floor = FLOORS.findIndex((room) => path.startsWith(room));
  if (floor < 0) return [];
  const below = FLOORS.slice(0, floor + 1);
  return imports
    .map(({ target }) => target)
    .filter((target) => target.startsWith('subgraphs/') && !below.some((room) => target.startsWith(room)));
};

/** The contract of events imports nothing else; all other code uses it through the event log, which validates events. */
const EVENT_CONTRACT = /^schema\/events(\/|\.ts$)/;
export const eventsGoThroughTheLog: Rule = ({ path, imports }) => {
  const targets = imports.map(({ target }) => target);
  if (EVENT_CONTRACT.test(path)) return targets.filter((target) => target !== 'zod' && !EVENT_CONTRACT.test(target));
  if (path.startsWith('schema/') || path === 'subgraphs/shared/platform/events.ts') return [];
  return targets.filter((target) => EVENT_CONTRACT.test(target));
};

/** Customers install the client without the platform: it imports nothing else, and the command only the client and Node. */
export const clientStandsAlone: Rule = ({ path, imports }) => {
  const targets = imports.map(({ target }) => target);
  if (path.startsWith('rest-adapter/client/')) return targets.filter((target) => !target.startsWith('rest-adapter/client/'));
  if (!path.startsWith('rest-adapter/command-line/')) return [];
  return targets.filter((target) => !/^(node:|rest-adapter\/(command-line\/|client\/index\.ts$))/.test(target));
};

/** The product does not import tests. */
export const noTestInTheProduct: Rule = ({ imports }) => imports.map(({ target }) => target).filter((target) => target.startsWith('test/'));

/** A proxy node serves several subgraphs and imports none of them: their protocol is in `edge/protocol/`. */
const EDGE = /^edge\//;
export const nodeStandsAlone: Rule = ({ path, imports }) => {
  const targets = imports.map(({ target }) => target);
  if (EDGE.test(path))
    return targets.filter((target) => target.startsWith('subgraphs/') && !target.startsWith('subgraphs/shared/platform/'));
  return path.startsWith('subgraphs/') ? targets.filter((target) => EDGE.test(target) && !target.startsWith('edge/protocol/')) : [];
};

/** The layers of a subgraph, and which layers each may import. Types of the builder's context may be imported anywhere. */
const INNER: Record<string, string[]> = {
  domain: ['domain'],
  entities: ['entities', 'domain'],
  // Some providers store data in our own tables, such as sessions and attempts.
  providers: ['providers', 'domain', 'entities'],
  services: ['services', 'domain', 'entities', 'providers'],
  graphql: ['graphql', 'services', 'domain', 'entities', 'providers'],
  // Doors run in the gateway's process, which may not be the subgraph's.
  doors: ['doors', 'domain'],
};
/** The layer of a path: `services` for `subgraphs/static/services/x.ts` and `subgraphs/static/delivery/services/x.ts`. */
export const layerOf = (path: string): string =>
  (subgraphOf(path)
    ? path
        .split('/')
        .slice(2, -1)
        .findLast((part) => Object.hasOwn(INNER, part))
    : undefined) ?? '';
export const arrowsPointDown: Rule = ({ path, imports }) => {
  const subgraph = subgraphOf(path);
  const room = layerOf(path);
  const allowed = INNER[room];
  if (!subgraph || !allowed) return [];
  return imports
    .filter(({ target }) => target.startsWith(`subgraphs/${subgraph}/`))
    .filter(({ target, typeOnly }) => {
      const other = layerOf(target);
      if (other !== '') return !allowed.includes(other);
      return room === 'domain' || !(typeOnly || room === 'graphql');
    })
    .map(({ target }) => target);
};

/** Modules that need a database, which a door does not have if the gateway is a separate process. */
const NEEDS_DATABASE =
  /^subgraphs\/shared\/platform\/(database|events?|event-reader|holds|jobs|notifications|platform|point-read|subgraph)\.ts$/;
export const doorsStandApart: Rule = ({ path, imports }) =>
  layerOf(path) === 'doors'
    ? imports
        .map(({ target }) => target)
        .filter((target) => NEEDS_DATABASE.test(target) || (subgraphOf(target) !== undefined && !/^(doors|domain)$/.test(layerOf(target))))
    : [];

/** The nouns of a folder, lowest first: each may import those before it. `architecture.test.ts` checks that every folder is listed. */
export const NOUNS: Record<string, string[]> = {
  'subgraphs/accounts': ['mail', 'identity', 'teams', 'billing', 'keys', 'webhooks', 'push', 'apps', 'abuse', 'sales', 'status', 'support'],
  'subgraphs/accounts/billing': [
    'idempotency',
    'ledger',
    'payments',
    'orders',
    'coupons',
    'tax',
    'risk',
    'invoices',
    'subscriptions',
    'incoming-payments',
    'refunds',
    'reviews',
    'verifications',
    'approvals',
    'renewals',
    'checkout',
    'payouts',
    'finance',
    'disputes',
    'inbox',
  ],
  'subgraphs/residential': ['plans', 'users', 'metering', 'edges', 'gateways', 'leases', 'generation', 'networks', 'requests'],
  'subgraphs/static': ['products', 'inventory', 'health', 'plans', 'delivery'],
  'subgraphs/compute': [
    'catalogue',
    'ssh-keys',
    'operations',
    'servers',
    'networking',
    'machines',
    'backups',
    'provisioning',
    'orders',
    'metrics',
    'consoles',
  ],
  gateway: ['http', 'sign-in', 'graph', 'status', 'pages'],
};
export const nounsKnowThoseBelow: Rule = ({ path, imports }) =>
  Object.entries(NOUNS).flatMap(([room, nouns]) => {
    const floorOf = (file: string) => (file.startsWith(`${room}/`) ? nouns.indexOf(file.slice(room.length + 1).split('/')[0] ?? '') : -1);
    const floor = floorOf(path);
    return floor < 0 ? [] : imports.map(({ target }) => target).filter((target) => floorOf(target) > floor);
  });

/** Domain code is pure: it may import values of the platform and data, but no database, graph or vendor, and it does not wait. */
const DOMAIN_PACKAGES = /^(node:(net|zlib|crypto|util|url)|zod|iso-3166|ipaddr\.js)$/;
const KERNEL_VALUES = [
  ...[
    'action-verdict',
    'address-group',
    'client-networks',
    'clock',
    'component-state',
    'data-size',
    'day-period',
    'errors',
    'identity',
    'ids',
    'language',
    'lifecycle',
    'markup',
    'secrets',
    'standard-webhook',
    'team-permissions',
  ].map((name) => `platform/${name}`),
  'lines/line-protocol',
  ...['catalogue/catalogue-entry', 'money', 'offers', 'proration', 'subscription-facts'].map((name) => `commerce/${name}`),
].map((name) => `subgraphs/shared/${name}.ts`);
export const domainIsPure: Rule = ({ path, imports, tree }) => {
  if (layerOf(path) !== 'domain') return [];
  const foreign = imports
    .map(({ target }) => target)
    .filter(
      (target) =>
        !/^(subgraphs|edge\/protocol|schema\/(codes\/|(limits|retention|status)\.ts))/.test(target) && !DOMAIN_PACKAGES.test(target),
    );
  const kernel = imports
    .map(({ target }) => target)
    .filter((target) => target.startsWith('subgraphs/shared/') && !KERNEL_VALUES.includes(target));
  const waits = [...nodesOf(tree)].some((node) => ts.isAwaitExpression(node)) ? ['awaits'] : [];
  return [...foreign, ...kernel, ...waits];
};
