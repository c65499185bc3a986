// The configuration of the whole: each room brings its part. For the files that a process begins with; a room reads its own part.
import { type Config, type ConfigPart, configPart, readConfig as readParts, variablesOf } from '#platform/config.ts';
import { flag } from '#platform/config-values.ts';
import type { Secrets } from '#platform/secrets.ts';
import { type Vendors, vendorsOf as vendorsWith } from '#platform/vendors.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { edgeConfiguration } from './edge/configuration.ts';
import { lineConfiguration } from './edge/protocol/configuration.ts';
import { gatewayConfiguration } from './gateway/configuration.ts';
import { sandboxConfiguration } from './sandbox/configuration.ts';
import { sandboxAccess } from './sandbox/terms.ts';
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

const PARTS: readonly ConfigPart[] = [
  sandboxConfiguration,
  demoConfiguration,
  commerceConfiguration,
  gatewayConfiguration,
  ...accountsConfiguration,
  lineConfiguration,
  edgeConfiguration,
  meteringConfiguration,
  staticConfiguration,
  ...computeConfiguration,
];

/** Every variable that the platform knows; the documentation prints this table. */
export const variables = () => variablesOf(PARTS);

/** Throws one StartFailure with a sentence per wrong value. */
export const readConfig = (environment: Record<string, string | undefined>): Config => readParts(PARTS, environment);

/** Where the outside systems of all rooms answer. */
export const vendorsOf = (config: Config, secrets: Secrets): Vendors =>
  vendorsWith(config, config.SANDBOX ? sandboxAccess(config, secrets) : undefined);
