// The house rules, so that reviewers need not remember them. Each has an example that breaks it.
import {
  clockIsAsked,
  errorsAreTurnedOnce,
  functionsAreShort,
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
  clientStandsAlone,
  domainIsPure,
  doorsStandApart,
  eventsGoThroughTheLog,
  kernelStandsAlone,
  noForeignImports,
  noTestInTheProduct,
  noUpwardImports,
  nodeStandsAlone,
  nounsKnowThoseBelow,
  rootKnowsTheWhole,
} from './import-rules.ts';
import { type Rule, sourceFiles } from './source-files.ts';

export const files = sourceFiles();
export const broken = ({ rule }: HouseRule, among = files): string[] =>
  among.flatMap((file) => rule(file).map((what) => `${file.path}: ${what}`));

export interface HouseRule {
  title: string;
  rule: Rule;
  /** An example that breaks the rule: a file with this path and text. */
  path: string;
  offence: string;
}

export const RULES: HouseRule[] = [
  {
    title: 'no subgraph imports another, and nobody imports a subgraph',
    rule: noForeignImports,
    path: 'subgraphs/static/jobs.ts',
    offence: `import '../compute/jobs.ts';`,
  },
  {
    title: 'top-level rooms import downwards only',
    rule: noUpwardImports,
    path: 'gateway/x.ts',
    offence: `import { x } from '../rest-adapter/x.ts';`,
  },
  {
    title: 'no room imports a file of the root',
    rule: rootKnowsTheWhole,
    path: 'subgraphs/static/commands/x.ts',
    offence: `import { readConfig } from '../../../configuration.ts';`,
  },
  {
    title: 'the platform knows no noun, and commerce no seller',
    rule: kernelStandsAlone,
    path: 'subgraphs/shared/platform/x.ts',
    offence: `export * from '../commerce/money.ts';`,
  },
  {
    title: 'inside a subgraph arrows point from graphql to services to domain, entities and providers',
    rule: arrowsPointDown,
    path: 'subgraphs/static/services/x.ts',
    offence: `import { x } from '../graphql/x.ts';`,
  },
  {
    title: 'domain is pure: kernel values and data, nothing to wait for',
    rule: domainIsPure,
    path: 'subgraphs/static/domain/x.ts',
    offence: `import { sql } from 'kysely';`,
  },
  {
    title: 'a noun knows those below it only',
    rule: nounsKnowThoseBelow,
    path: 'subgraphs/accounts/billing/ledger/services/x.ts',
    offence: `import { x } from '../../orders/services/x.ts';`,
  },
  {
    title: 'a door knows domain values and the platform, for it may run in another process than its subgraph',
    rule: doorsStandApart,
    path: 'subgraphs/compute/consoles/doors/x.ts',
    offence: `import type { ConsolesContext } from '../context.ts';`,
  },
  {
    title: 'the contract of events knows nobody, and the log alone checks by it',
    rule: eventsGoThroughTheLog,
    path: 'subgraphs/static/x.ts',
    offence: `import { EVENTS } from '../../schema/events.ts';`,
  },
  {
    title: 'the client of the API needs nothing, and its command the client',
    rule: clientStandsAlone,
    path: 'rest-adapter/client/x.ts',
    offence: `import { toFailure } from '#platform/errors.ts';`,
  },
  {
    title: 'nothing of the product stands in test',
    rule: noTestInTheProduct,
    path: 'egress.ts',
    offence: `import { x } from './test/kit/x.ts';`,
  },
  {
    title: 'a proxy node belongs to no subgraph',
    rule: nodeStandsAlone,
    path: 'edge/x.ts',
    offence: `import { x } from '../subgraphs/static/domain/x.ts';`,
  },
  {
    title: 'queries have names and stand in entities',
    rule: queriesAreNamed,
    path: 'subgraphs/static/plans/services/x.ts',
    offence: 'export const x = (em) => em.find(Plan, {});',
  },
  {
    title: 'ways to pay are told apart by their table and their port',
    rule: noMethodIsAskedForByName,
    path: 'subgraphs/accounts/billing/orders/services/x.ts',
    offence: `export const x = (order) => order.method === 'CARD';`,
  },
  {
    title: 'the clock is read in one file',
    rule: clockIsAsked,
    path: 'gateway/x.ts',
    offence: `const at = new Date();`,
  },
  {
    title: 'the error of a subgraph becomes a Failure in one place',
    rule: errorsAreTurnedOnce,
    path: 'subgraphs/static/delivery/doors/x.ts',
    offence: `throw fromExtensions(error.message, error.extensions) ?? fail('internal');`,
  },
  {
    title: 'the names of the subgraphs stand in one list',
    rule: namesHaveOneList,
    path: 'gateway/x.ts',
    offence: `type Name = 'accounts' | 'residential' | 'static';`,
  },
  {
    title: 'no object is spread for the eye',
    rule: nothingIsSpreadForTheEye,
    path: 'gateway/x.ts',
    offence: 'export const x = { ...{ a: 1, b: 2 } };',
  },
  {
    title: 'no file has more than 300 lines',
    rule: isShort,
    path: 'gateway/x.ts',
    offence: '\n'.repeat(300) + 'x',
  },
  {
    title: 'no function has more than 80 lines',
    rule: functionsAreShort,
    path: 'gateway/x.ts',
    offence: `export const x = () => {${'\n'.repeat(80)}};`,
  },
  {
    title: 'files are named for a thing, in kebab-case',
    rule: isNamedForAThing,
    path: 'gateway/request-handler.ts',
    offence: '',
  },
  {
    title: 'imports name the file with its extension',
    rule: importsHaveExtensions,
    path: 'gateway/x.ts',
    offence: `import './y';`,
  },
];
