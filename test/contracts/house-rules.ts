// The house rules that a reviewer would otherwise have to remember: each names what breaks it.
import ts from 'typescript';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { PAYMENT_METHODS } from '../../subgraphs/accounts/billing/payments/providers/payment-methods.ts';
import { type SourceFile, nodesOf, sourceFiles } from './source-files.ts';

type Rule = (file: SourceFile) => string[];

export const files = sourceFiles();
export const broken = (rule: Rule, among = files): string[] => among.flatMap((file) => rule(file).map((what) => `${file.path}: ${what}`));

const subgraphOf = (path: string) => SUBGRAPHS.find((name) => path.startsWith(`subgraphs/${name}/`));
/** The composition roots: they start everything, so they know everything. */
const isRoot = (path: string) => !path.includes('/') || path.startsWith('schema/');
const topOf = (path: string) => path.split('/')[0];

/** What another subgraph must learn travels as a job, an event or a GraphQL reference. */
const noForeignImports: Rule = ({ path, imports }) => {
  if (isRoot(path)) return [];
  return imports
    .map(({ target }) => target)
    .filter((target) => subgraphOf(target) !== undefined && subgraphOf(target) !== subgraphOf(path));
};

/** Top-level rooms: the kernel knows nobody, subgraphs and nodes know the kernel, the gateway serves it all, REST and MCP sit on the gateway. The outside world knows none of them. */
const ROOMS: Record<string, string[]> = {
  subgraphs: ['subgraphs', 'edge'],
  edge: ['edge', 'subgraphs'],
  gateway: ['gateway', 'subgraphs'],
  'rest-adapter': ['rest-adapter', 'gateway', 'subgraphs'],
  sandbox: ['sandbox', 'subgraphs'],
};
const noUpwardImports: Rule = ({ path, imports }) => {
  const allowed = ROOMS[topOf(path) ?? ''];
  if (!allowed || !path.includes('/')) return [];
  return imports
    .map(({ target }) => target)
    .filter((target) => Object.hasOwn(ROOMS, topOf(target) ?? '') && !allowed.includes(topOf(target) ?? ''));
};
/** The platform has no noun; what all sellers share stands on it. */
const FLOORS = ['subgraphs/shared/platform/', 'subgraphs/shared/commerce/'];
const kernelStandsAlone: Rule = ({ path, imports }) => {
  const floor = FLOORS.findIndex((room) => path.startsWith(room));
  if (floor < 0) return [];
  const below = FLOORS.slice(0, floor + 1);
  return imports
    .map(({ target }) => target)
    .filter((target) => target.startsWith('subgraphs/') && !below.some((room) => target.startsWith(room)));
};

/** The contract of events names every noun and imports none; everybody else appends and reacts through the log, which checks by it. */
const EVENT_CONTRACT = /^schema\/events(\/|\.ts$)/;
const eventsGoThroughTheLog: Rule = ({ path, imports }) => {
  const targets = imports.map(({ target }) => target);
  if (EVENT_CONTRACT.test(path)) return targets.filter((target) => target !== 'zod' && !EVENT_CONTRACT.test(target));
  if (path.startsWith('schema/') || path === 'subgraphs/shared/platform/events.ts') return [];
  return targets.filter((target) => EVENT_CONTRACT.test(target));
};

/** What runs in the product stands outside `test/`. */
const noTestInTheProduct: Rule = ({ imports }) => imports.map(({ target }) => target).filter((target) => target.startsWith('test/'));

/** A proxy node serves several subgraphs and belongs to none, it sells nothing: what both sides say to each other stands in `edge/protocol/`. */
const EDGE = /^edge\//;
const nodeStandsAlone: Rule = ({ path, imports }) => {
  const targets = imports.map(({ target }) => target);
  if (EDGE.test(path))
    return targets.filter((target) => target.startsWith('subgraphs/') && !target.startsWith('subgraphs/shared/platform/'));
  return path.startsWith('subgraphs/') ? targets.filter((target) => EDGE.test(target) && !target.startsWith('edge/protocol/')) : [];
};

/** Queries have names and stand in `entities/`. */
const QUERIES =
  /^(find|findOne|findOneOrFail|findAll|findAndCount|findByCursor|count|upsert|upsertMany|nativeUpdate|nativeInsert|nativeDelete|insert|insertMany|createQueryBuilder|qb|execute)$/;
const queriesAreNamed: Rule = ({ path, tree }) => {
  const layer = layerOf(path);
  if (layer !== 'graphql' && layer !== 'services') return [];
  const queries = [...nodesOf(tree)].filter(
    (node) =>
      (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') ||
      (ts.isCallExpression(node) && /^(CompiledQuery\.raw|runStatement|runPrepared|pointRead)$/.test(node.expression.getText())) ||
      (ts.isCallExpression(node) &&
        ts.isPropertyAccessExpression(node.expression) &&
        QUERIES.test(node.expression.name.text) &&
        /(^|\.)em$/.test(node.expression.expression.getText())),
  ).length;
  return queries > 0 ? [`${queries} queries`] : [];
};

/** The rooms of a subgraph, and which rooms each may look into. Types of the builder's context may be named anywhere. */
const INNER: Record<string, string[]> = {
  domain: ['domain'],
  entities: ['entities', 'domain'],
  // Some providers keep their things in our own tables: sessions, attempts.
  providers: ['providers', 'domain', 'entities'],
  services: ['services', 'domain', 'entities', 'providers'],
  graphql: ['graphql', 'services', 'domain', 'entities', 'providers'],
  // It runs in the gateway's process, which may be another than the subgraph's.
  doors: ['doors', 'domain'],
};
/** `subgraphs/static/services/x.ts` or `subgraphs/static/delivery/services/x.ts`: services. */
const layerOf = (path: string): string =>
  (subgraphOf(path)
    ? path
        .split('/')
        .slice(2, -1)
        .findLast((part) => Object.hasOwn(INNER, part))
    : undefined) ?? '';
const arrowsPointDown: Rule = ({ path, imports }) => {
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

/** What a door cannot have where the gateway is a process of its own: a database, and whatever stands on one. */
const NEEDS_DATABASE =
  /^subgraphs\/shared\/platform\/(database|events?|event-reader|holds|jobs|notifications|platform|point-read|subgraph)\.ts$/;
const doorsStandApart: Rule = ({ path, imports }) =>
  layerOf(path) === 'doors'
    ? imports
        .map(({ target }) => target)
        .filter((target) => NEEDS_DATABASE.test(target) || (subgraphOf(target) !== undefined && !/^(doors|domain)$/.test(layerOf(target))))
    : [];

/** The nouns of a room, from the ground up: each may know those before it. */
const NOUNS: Record<string, string[]> = {
  'subgraphs/accounts': ['mail', 'identity', 'keys', 'billing', 'support'],
  'subgraphs/residential': ['plans', 'generation', 'metering', 'leases'],
  'subgraphs/static': ['plans', 'inventory', 'health', 'delivery'],
  'subgraphs/compute': ['servers', 'operations', 'networking', 'machines', 'metrics', 'backups', 'consoles', 'orders'],
  gateway: ['http', 'sign-in', 'graph', 'pages'],
};
const nounsKnowThoseBelow: Rule = ({ path, imports }) => {
  const [room, nouns] = Object.entries(NOUNS).find(([name]) => path.startsWith(`${name}/`)) ?? ['', []];
  const floorOf = (file: string) => (file.startsWith(`${room}/`) ? nouns.indexOf(file.slice(room.length + 1).split('/')[0] ?? '') : -1);
  const floor = floorOf(path);
  return floor < 0 ? [] : imports.map(({ target }) => target).filter((target) => floorOf(target) > floor);
};

/** Rules are pure: values of the kernel, and data; no database, no graph, no vendor, no waiting. */
const DOMAIN_PACKAGES = /^(node:(net|zlib|crypto|util|url)|zod|iso-3166|ipaddr\.js)$/;
const KERNEL_VALUES = [
  ...['action-verdict', 'clock', 'data-size', 'errors', 'identity', 'ids', 'lifecycle', 'secrets'].map((name) => `platform/${name}`),
  ...['money', 'offers', 'proration', 'subscription-facts'].map((name) => `commerce/${name}`),
].map((name) => `subgraphs/shared/${name}.ts`);
const domainIsPure: Rule = ({ path, imports, tree }) => {
  if (layerOf(path) !== 'domain') return [];
  const foreign = imports
    .map(({ target }) => target)
    .filter((target) => !/^(subgraphs|edge\/protocol)\//.test(target) && !DOMAIN_PACKAGES.test(target));
  const kernel = imports
    .map(({ target }) => target)
    .filter((target) => target.startsWith('subgraphs/shared/') && !KERNEL_VALUES.includes(target));
  const waits = [...nodesOf(tree)].some((node) => ts.isAwaitExpression(node)) ? ['awaits'] : [];
  return [...foreign, ...kernel, ...waits];
};

/** What differs between ways to pay is a row of their table or a method of their port: who asks for a name has a silent default for the next one. */
const METHOD_NAMES = new Set(Object.values(PAYMENT_METHODS).flatMap(({ name, processor }): string[] => [name, processor]));
const METHOD_FOLDERS = /^subgraphs\/accounts\/billing\/payments\/providers\/[a-z-]+\//;
const EQUALITY = new Set([
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);
const FACTS_OF_A_PAYMENT = /^(method|processor|destination|source)$/;
const noMethodIsAskedForByName: Rule = ({ path, tree }) => {
  if (!/^(subgraphs|gateway|rest-adapter)\//.test(path) || METHOD_FOLDERS.test(path)) return [];
  const isName = (node: ts.Node) => ts.isStringLiteralLike(node) && METHOD_NAMES.has(node.text);
  return [...nodesOf(tree)]
    .filter(
      (node) =>
        (ts.isBinaryExpression(node) && EQUALITY.has(node.operatorToken.kind) && (isName(node.left) || isName(node.right))) ||
        (ts.isCaseClause(node) && isName(node.expression)) ||
        (ts.isCallExpression(node) && /\.includes$/.test(node.expression.getText()) && node.arguments.some(isName)) ||
        (ts.isPropertyAssignment(node) &&
          FACTS_OF_A_PAYMENT.test(node.name.getText()) &&
          !ts.isCallExpression(node.initializer) &&
          [...nodesOf(node.initializer)].some(isName)) ||
        (ts.isTaggedTemplateExpression(node) && [...METHOD_NAMES].some((name) => node.template.getText().includes(`'${name}'`))),
    )
    .map((node) => `${node.getText().slice(0, 60)} in line ${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
};

/** Time is read in one file, so that tests can move it. `new Date(value)` reads no clock. */
const clockIsAsked: Rule = ({ path, tree }) => {
  if (path === 'subgraphs/shared/platform/clock.ts') return [];
  return [...nodesOf(tree)]
    .filter(
      (node) =>
        (ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments ?? []).length === 0) ||
        (ts.isPropertyAccessExpression(node) && node.getText() === 'Date.now') ||
        (ts.isCallExpression(node) && node.expression.getText() === 'Date'),
    )
    .map((node) => `${node.getText()} in line ${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
};

/** A subgraph is asked through `ask.ts`; the gateway itself puts the request's id and its log to what it has merged. */
const TURNS_ERRORS = ['subgraphs/shared/platform/ask.ts', 'gateway/graph/gateway.ts'];
const errorsAreTurnedOnce: Rule = ({ path, tree }) =>
  TURNS_ERRORS.includes(path)
    ? []
    : [...nodesOf(tree)]
        .filter((node) => ts.isCallExpression(node) && node.expression.getText() === 'fromExtensions')
        .map((node) => node.getText());

/** A fifth subgraph is one more name in `schema/subgraphs.ts`: arrays and unions that name most of them are lists beside it. */
const namesHaveOneList: Rule = ({ path, tree }) => {
  if (path === 'schema/subgraphs.ts') return [];
  const namesIn = (node: ts.Node): readonly ts.Node[] =>
    ts.isArrayLiteralExpression(node) ? node.elements : ts.isUnionTypeNode(node) ? node.types : [];
  return [...nodesOf(tree)]
    .filter((node) => namesIn(node).filter((name) => SUBGRAPHS.some((subgraph) => name.getText() === `'${subgraph}'`)).length > 2)
    .map((node) => node.getText());
};

/** At 300 lines a file has two nouns. */
const isShort: Rule = ({ lines }) => (lines > 300 ? [`${lines} lines`] : []);

const DRAWER = /(^|[-./])(utils?|helpers?|common|misc|managers?|handlers?)(?=[-./])/;
const isNamedForAThing: Rule = ({ path }) => {
  const drawer = DRAWER.exec(path)?.[2];
  return [...(drawer ? [`${drawer} names a drawer, not a thing`] : []), ...(/[^a-z0-9./-]/.test(path) ? ['is not in kebab-case'] : [])];
};

/** Node strips types from what it is told to import by its real name. */
const importsHaveExtensions: Rule = ({ imports }) =>
  imports
    .map(({ target }) => target)
    .filter((target) => /^(subgraphs|edge|sandbox|gateway|rest-adapter|schema|test)\//.test(target) && !/\.(ts|json)$/.test(target));

/** Title, rule, and what would break it: a file of that path and text. */
export const RULES: [title: string, Rule, path: string, offence: string][] = [
  [
    'no subgraph imports another, and nobody imports a subgraph',
    noForeignImports,
    'subgraphs/static/jobs.ts',
    `import '../compute/jobs.ts';`,
  ],
  ['top-level rooms import downwards only', noUpwardImports, 'gateway/x.ts', `import { x } from '../rest-adapter/x.ts';`],
  [
    'the platform knows no noun, and commerce no seller',
    kernelStandsAlone,
    'subgraphs/shared/platform/x.ts',
    `export * from '../commerce/money.ts';`,
  ],
  [
    'inside a subgraph arrows point from graphql to services to domain, entities and providers',
    arrowsPointDown,
    'subgraphs/static/services/x.ts',
    `import { x } from '../graphql/x.ts';`,
  ],
  [
    'domain is pure: kernel values and data, nothing to wait for',
    domainIsPure,
    'subgraphs/static/domain/x.ts',
    `import { sql } from 'kysely';`,
  ],
  [
    'a noun knows those below it only',
    nounsKnowThoseBelow,
    'subgraphs/accounts/mail/x.ts',
    `import { x } from '../billing/orders/services/x.ts';`,
  ],
  [
    'a door knows domain values and the platform, for it may run in another process than its subgraph',
    doorsStandApart,
    'subgraphs/compute/consoles/doors/x.ts',
    `import type { ComputeContext } from '../../builder.ts';`,
  ],
  [
    'the contract of events knows nobody, and the log alone checks by it',
    eventsGoThroughTheLog,
    'subgraphs/static/x.ts',
    `import { EVENTS } from '../../schema/events.ts';`,
  ],
  ['nothing of the product stands in test', noTestInTheProduct, 'egress.ts', `import { x } from './test/kit/x.ts';`],
  ['a proxy node belongs to no subgraph', nodeStandsAlone, 'edge/x.ts', `import { x } from '../subgraphs/static/domain/x.ts';`],
  [
    'queries have names and stand in entities',
    queriesAreNamed,
    'subgraphs/static/plans/services/x.ts',
    'export const x = (em) => em.find(Plan, {});',
  ],
  [
    'ways to pay are told apart by their table and their port',
    noMethodIsAskedForByName,
    'subgraphs/accounts/billing/orders/services/x.ts',
    `export const x = (order) => order.method === 'CARD';`,
  ],
  ['the clock is read in one file', clockIsAsked, 'gateway/x.ts', `const at = new Date();`],
  [
    'the error of a subgraph becomes a Failure in one place',
    errorsAreTurnedOnce,
    'subgraphs/static/delivery/doors/x.ts',
    `throw fromExtensions(error.message, error.extensions) ?? fail('internal');`,
  ],
  ['the names of the subgraphs stand in one list', namesHaveOneList, 'gateway/x.ts', `type Name = 'accounts' | 'residential' | 'static';`],
  ['no file has more than 300 lines', isShort, 'gateway/x.ts', '\n'.repeat(300) + 'x'],
  ['files are named for a thing, in kebab-case', isNamedForAThing, 'gateway/request-handler.ts', ''],
  ['imports name the file with its extension', importsHaveExtensions, 'gateway/x.ts', `import './y';`],
];
