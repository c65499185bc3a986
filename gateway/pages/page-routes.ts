// The dashboard's routes with the name, colours, logo and limits of this installation.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commerceConfiguration } from '#commerce/configuration.ts';
import type { Config } from '#platform/config.ts';
import type { Route } from '#platform/route.ts';
import { gatewayConfiguration } from '../configuration.ts';
import { colourRules } from './colours.ts';
import { createDashboardRoute } from './dashboard.ts';
import { createEngineFiles } from './engine-files.ts';
import { LOGO_PATH, createLogoRoute } from './logo.ts';
import { pictureOf } from './page-head.ts';
import { type Installation, type PublicPages, type PublicPagesOptions, createPublicPages } from './public-pages.ts';

/** The directory of the dashboard's build. */
export const DASHBOARD = fileURLToPath(new URL('../../web/build', import.meta.url));

export interface PageOptions
  extends Pick<Installation, 'sandbox' | 'proxyHost' | 'connectionsPerPlan' | 'limits'>, Pick<PublicPagesOptions, 'ask' | 'clock' | 'log'> {
  config: Config;
}

/** These routes match every path, so they are mounted last. */
export function createPageRoutes({ config, ...options }: PageOptions): readonly Route[] {
  const { BRAND_LOGO_FILE: logo } = gatewayConfiguration.of(config);
  // When the query fails, the page is shown and says why.
  const isSetUpOpen = () =>
    options.ask('{ setUpOpen }').then(
      (answer) => (answer as { setUpOpen: boolean }).setUpOpen,
      () => true,
    );
  const pages = publicPages(config, options);
  return [
    ...(logo ? [createLogoRoute(logo)] : []),
    ...(pages ? [createEngineFiles(config.PUBLIC_URL, pages.paths)] : []),
    createDashboardRoute(DASHBOARD, pages, isSetUpOpen),
  ];
}

/** Undefined when the dashboard is not built. */
function publicPages(
  config: Config,
  { sandbox, proxyHost, connectionsPerPlan, limits, ask, clock, log }: Omit<PageOptions, 'config'>,
): PublicPages | undefined {
  if (!existsSync(join(DASHBOARD, '200.html'))) return undefined;
  const { BRAND, SUPPORT_EMAIL } = commerceConfiguration.of(config);
  const { BRAND_COLOUR, BRAND_LOGO_FILE } = gatewayConfiguration.of(config);
  return createPublicPages({
    directory: DASHBOARD,
    origin: config.PUBLIC_URL,
    installation: {
      brand: BRAND,
      supportEmail: SUPPORT_EMAIL,
      proxyHost,
      connectionsPerPlan,
      sandbox,
      logo: BRAND_LOGO_FILE ? LOGO_PATH : null,
      limits,
    },
    picture: pictureOf(BRAND_LOGO_FILE, LOGO_PATH),
    colours: colourRules(BRAND_COLOUR),
    ask,
    clock,
    log,
  });
}
