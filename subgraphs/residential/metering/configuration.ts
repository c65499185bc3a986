// The part of the configuration that metering reads: the networks that may report usage.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { pairs } from '#platform/config-values.ts';
import type { DoorParts } from '#platform/doors.ts';
import { StartFailure } from '#platform/start-failure.ts';
import { vendor } from '#platform/vendors.ts';
import { DEFAULT_PRODUCTS } from '../plans/domain/products.ts';
import { HOSTS_KEPT } from '../plans/domain/hosts-kept.ts';
import type { UsageSource, UsageSources } from './doors/usage-reports.ts';

/** "name=secret,name[PREMIUM+MOBILE]=secret": names of networks, their secrets, and the products that each may report for; without brackets: all. */
const usageSources = pairs.transform((sources, context) =>
  Object.fromEntries(
    Object.entries(sources).map(([written, secret]): [string, UsageSource] => {
      const [, name = '', products] = /^([^[\]]+)(?:\[([A-Z_]+(?:\+[A-Z_]+)*)\])?$/.exec(written) ?? [];
      if (!name)
        context.addIssue({ code: 'custom', message: 'must be name=secret pairs, or name[PREMIUM+MOBILE]=secret for these products alone' });
      return [name, { secret, ...(products !== undefined && { products: products.split('+') }) }];
    }),
  ),
);

export const meteringConfiguration = configPart({
  USAGE_SOURCES: [
    usageSources.optional(),
    'name=secret pairs of networks that may report usage; name[PREMIUM+MOBILE]=secret for these products alone',
  ],
  USAGE_HOSTS: [
    z.enum(HOSTS_KEPT).default('plain'),
    'how hosts that were reached are kept from now on: plain; hashed: told apart, not readable; off. Accounts may be more private',
    'residential',
  ],
});

/** The sandbox's proxy network, which reports as a foreign one would. */
const sandboxNetwork = vendor<UsageSources>({
  name: 'network',
  configured: () => undefined,
  played: ({ accepts }) => ({ [accepts('usageSource')]: { secret: accepts('usageSecret') } }),
});

/** All networks that may report usage, with the sandbox's if it runs. Throws a StartFailure when one names an unknown product. */
export function usageSourcesOf({ config, vendors }: Pick<DoorParts, 'config' | 'vendors'>): UsageSources {
  const usageSources: UsageSources = { ...vendors.of(sandboxNetwork), ...meteringConfiguration.of(config).USAGE_SOURCES };
  const products = Object.keys(DEFAULT_PRODUCTS);
  for (const [source, { products: named = [] }] of Object.entries(usageSources)) {
    const wrong = named.find((product) => !products.includes(product));
    if (wrong !== undefined)
      throw new StartFailure(
        `The configuration is not usable:\n  - USAGE_SOURCES names ${wrong} for ${source}: products are ${products.join(', ')}.`,
      );
  }
  return usageSources;
}
