import { z } from 'zod';
import { KEY_LINES_MAX } from '../../schema/limits.ts';
import { defineEndpoint, planId, toId, words } from '../endpoint.ts';
import { EXAMPLE_BATCH, PROXY_BATCH, PROXY_BATCH_FIELDS, type ProxyBatchResult, toProxyBatch } from './proxy-batch.ts';

/** 0 for text that is not a number of minutes or is too large. No product allows 0 minutes, so the graph refuses it and names the allowed ones. */
const toMinutes = (time: string | number): number => {
  const text = String(time);
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
};

const PROTOCOLS = { http: 'HTTP', socks5: 'SOCKS5', https: 'HTTPS' } as const;

/** Spec, GET /v1/residential/{product_id}/proxies. */
export const generateResidentialProxies = defineEndpoint({
  path: '/v1/residential/{product_id}/proxies',
  tool: 'generate_residential_proxies',
  title: 'Generate residential proxies',
  description:
    'Generates proxy lines, host:port:username:password, for one residential plan. Costs no bandwidth. ' +
    'Sticky lines keep one IP address for the session lifetime; rotating lines use a fresh one for each connection (each request over plain HTTP, each tunnel over HTTPS and SOCKS5), and are all the same.',
  message: 'Proxies generated.',
  scope: 'generate',
  input: z.object({
    product: planId(),
    pool: words(
      'A country by its English name or ISO 3166 alpha-2 code, or Worldwide, or Europe; any letter case. ' +
        'Several countries with commas between: each line leaves from any of them, and a session stays in the one it got.',
    ),
    quantity: z.int().min(1).max(KEY_LINES_MAX).describe('How many lines.'),
    sticky: z.boolean().describe('true: one IP address for the session lifetime. false: a fresh IP address for each request.'),
    type: z
      .enum(['http', 'socks5', 'https'])
      .default('http')
      .describe('Proxy protocol; https: an HTTP proxy over TLS, where it is offered.'),
    time: z
      .union([z.string(), z.int()])
      .default('60')
      .describe(
        "Sticky session lifetime in minutes; must be in the product's list (Premium: 30, 60, 120, 240), also when sticky is false.",
      ),
    state: words('State or subdivision; single-country pools only.').optional(),
    city: words('City; single-country pools only.').optional(),
    exclude: words('Countries with commas between from which no line is to leave, for example with Worldwide or Europe.').optional(),
  }),
  restNames: { product: 'product_id' },
  refusals: {
    product: { code: 'plan_not_found' },
    pool: { code: 'pool_unknown' },
    exclude: { code: 'pool_unknown' },
    quantity: { code: 'quantity_invalid', message: `quantity must be a whole number from 1 to ${KEY_LINES_MAX.toLocaleString('en')}.` },
    sticky: { code: 'parameter_invalid', message: 'sticky must be true or false.', allowed: ['true', 'false'] },
    type: { code: 'parameter_invalid', message: 'type must be http, socks5 or https.' },
    time: { code: 'time_not_allowed' },
    state: { code: 'state_unknown' },
    city: { code: 'city_unknown' },
  },
  codes: ['plan_expired', 'targeting_needs_country', 'parameter_invalid'],
  output: PROXY_BATCH,
  outputName: 'ProxyBatch',
  readOnly: false,
  operation: /* GraphQL */ `
    query GenerateResidentialProxies($planId: ID!, $input: ProxyGenerateInput!) {
      residentialProxies(planId: $planId, input: $input) {
        ${PROXY_BATCH_FIELDS}
      }
    }
  `,
  variables: ({ product, pool, exclude, quantity, sticky, type, time, state, city }) => ({
    planId: toId(product),
    input: {
      targeting: {
        pool,
        ...(exclude !== undefined && { exclude }),
        ...(state !== undefined && { state }),
        ...(city !== undefined && { city }),
      },
      session: sticky ? 'STICKY' : 'ROTATING',
      sessionMinutes: toMinutes(time),
      protocol: PROTOCOLS[type],
      quantity,
    },
  }),
  data: ({ residentialProxies }: { residentialProxies: ProxyBatchResult }) => toProxyBatch(residentialProxies),
  example: {
    input: { product: 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z', pool: 'Germany', quantity: 2, sticky: true, type: 'http', time: '30' },
    data: EXAMPLE_BATCH,
  },
});
