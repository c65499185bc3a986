// The configuration of the whole platform: each part of the program adds its own part. A subgraph in its own process has its own `composition.ts`.
import { compositionOf } from '#platform/composition.ts';
import { type ConfigPart, configPart, variablesOf } from '#platform/config.ts';
import { flag } from '#platform/config-values.ts';
import { retentionConfiguration } from '#platform/retention.ts';
import { sandbox } from '#platform/sandbox-terms.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { lineTestConfiguration } from '#lines/configuration.ts';
import { edgeConfiguration } from './edge/configuration.ts';
import { lineConfiguration } from './edge/protocol/configuration.ts';
import { gatewayConfiguration } from './gateway/configuration.ts';
import { sandboxConfiguration } from './sandbox/configuration.ts';
import { accountsConfiguration } from './subgraphs/accounts/configuration.ts';
import { computeConfiguration } from './subgraphs/compute/configuration.ts';
import { meteringConfiguration } from './subgraphs/residential/metering/configuration.ts';
import { staticConfiguration } from './subgraphs/static/configuration.ts';

export const demoConfiguration = configPart(
  {
    DEMO: [
      flag.optional(),
      'seed demo data into an empty database, with passwords of its own; default: with the sandbox; production refuses it',
    ],
  },
  {
    refusals: ({ DEMO }, { NODE_ENV }) =>
      NODE_ENV === 'production' && DEMO ? ['DEMO must not be true in production: its people are for trying out.'] : [],
  },
);

/** The parts of a process that runs everything. */
const PARTS: readonly ConfigPart[] = [
  sandboxConfiguration,
  demoConfiguration,
  commerceConfiguration,
  retentionConfiguration,
  gatewayConfiguration,
  ...accountsConfiguration,
  lineConfiguration,
  edgeConfiguration,
  meteringConfiguration,
  lineTestConfiguration,
  staticConfiguration,
  ...computeConfiguration,
];

/** Every variable of the platform. */
export const variables = () => variablesOf(PARTS);

export const composition = compositionOf(PARTS, sandbox);
export const { readConfig, vendorsOf } = composition;
