// The part of the configuration that tests of lines read: the page that they ask.
import { type Config, configPart } from '#platform/config.ts';
import { url } from '#platform/config-values.ts';
import { type Vendors, vendor } from '#platform/vendors.ts';
import { carriesTraffic } from '../../../edge/protocol/configuration.ts';
import { VISITOR_PATH } from './visitor-path.ts';

export const lineTestConfiguration = configPart({
  LINE_TEST_URL: [
    url('http', 'https').optional(),
    'a page that answers with the address of its visitor, which tests of lines ask; default: /visitor here, in a sandbox its site',
  ],
});

/** The sandbox's page, the only one on this machine that lines reach. */
const sandboxPage = vendor<string>({
  name: 'line-page',
  configured: () => undefined,
  played: (sandbox, config) => (carriesTraffic(config) ? `${sandbox.url('site')}/` : undefined),
});

/** The page that a test of a line asks: the operator's, that of a sandbox, or our own, whatever PUBLIC_URL leads to. */
export const linePageOf = ({ config, vendors }: { config: Config; vendors: Vendors }): string =>
  lineTestConfiguration.of(config).LINE_TEST_URL ?? vendors.of(sandboxPage) ?? new URL(VISITOR_PATH, config.PUBLIC_URL).href;
