// The part of the configuration that static reads.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { count, url } from '#platform/config-values.ts';
import { vendor } from '#platform/vendors.ts';
import { carriesTraffic } from '../../edge/protocol/configuration.ts';

export const staticConfiguration = configPart({
  STATIC_DELIVERY_HOURS: [count(1).default(24), 'static plans that the stock cannot fill for so long are paid back'],
  HEALTH_CHECK_URL: [
    url('http').optional(),
    'a page that answers with the address of its visitor, to check sold static addresses through; without it the sandbox has one',
  ],
  HEALTH_CHECKS_FROM: [
    z
      .string()
      .default('127.0.0.1')
      .transform((value) => value.split(',').filter(Boolean)),
    "addresses from which this platform checks, which customers' lists of allowed clients never shut out",
  ],
});

/** The sandbox's page that answers with its visitor's address, through which static addresses are checked; only where this process carries traffic to it. */
export const visitorPage = vendor<string>({
  name: 'visitor',
  configured: () => undefined,
  played: (sandbox, config) => (carriesTraffic(config) ? `${sandbox.url('site')}/` : undefined),
});
