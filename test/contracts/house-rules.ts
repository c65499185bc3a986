// The house rules that a reviewer would otherwise have to remember: each names what breaks it.
import {
  clockIsAsked,
  errorsAreTurnedOnce,
  importsHaveExtensions,
  isNamedForAThing,
  isShort,
  namesHaveOneList,
  noMethodIsAskedForByName,
  nothingIsSpreadForTheEye,
  queriesAreNamed,
} from './code-rules.ts';
import {
  arrowsPointDown,
  domainIsPure,
  doorsStandApart,
  eventsGoThroughTheLog,
  kernelStandsAlone,
  noForeignImports,
  noTestInTheProduct,
  noUpwardImports,
  nodeStandsAlone,
  nounsKnowThoseBelow,
} from './import-rules.ts';
import { type Rule, sourceFiles } from './source-files.ts';

export const files = sourceFiles();
export const broken = (rule: Rule, among = files): string[] => among.flatMap((file) => rule(file).map((what) => `${file.path}: ${what}`));

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
  ['no object is spread for the eye', nothingIsSpreadForTheEye, 'gateway/x.ts', 'export const x = { ...{ a: 1, b: 2 } };'],
  ['no file has more than 300 lines', isShort, 'gateway/x.ts', '\n'.repeat(300) + 'x'],
  ['files are named for a thing, in kebab-case', isNamedForAThing, 'gateway/request-handler.ts', ''],
  ['imports name the file with its extension', importsHaveExtensions, 'gateway/x.ts', `import './y';`],
];
