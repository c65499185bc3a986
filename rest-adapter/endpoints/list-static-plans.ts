import { z } from 'zod';
import { defineEndpoint, toId } from '../endpoint.ts';

interface Result {
  staticPlans: {
    items: { id: string; status: string; quantity: number; proxies: string[] }[];
    total: number;
    page: number;
    pageCount: number;
  };
}

/** The largest Int of GraphQL; no account has as many pages. */
const MAX_PAGE = 2_147_483_647;

export const EXAMPLE_STATIC_PLAN = 'isp_01jd8x4m2c7n5q9r3t6v8w0y1z';

/** Spec, GET /v1/static/{productType}. */
export const listStaticPlans = defineEndpoint({
  path: '/v1/static/{productType}',
  tool: 'list_static_plans',
  title: 'List static plans',
  description: 'Lists the ISP and datacenter plans of the account with their proxy lines, newest first.',
  message: 'Static plans listed.',
  scope: 'read',
  input: z.object({
    // The Spec does not say what the MCP tool lists without a type: here both kinds. In REST the type is part of the path.
    type: z.enum(['isp', 'dc']).optional().describe('isp: ISP proxies. dc: datacenter proxies.'),
    page: z.int().min(1).max(MAX_PAGE).default(1).describe('Page number; a page past the end is empty.'),
    limit: z.int().min(1).max(100).default(25).describe('Results per page.'),
    productId: z.string().optional().describe('Only plans of this product of the catalogue.'),
    protocol: z
      .enum(['http', 'https'])
      .default('http')
      .describe('http: lines for HTTP and SOCKS5. https: lines of HTTP proxies over TLS, where they are offered.'),
  }),
  restNames: { type: 'productType' },
  refusals: {
    type: { code: 'product_type_unknown' },
    page: { code: 'page_invalid' },
    limit: { code: 'limit_invalid' },
    protocol: { code: 'parameter_invalid', message: 'protocol must be http or https.' },
  },
  codes: [],
  output: z.object({
    plans: z.array(
      z.object({
        _id: z.string().describe('Plan identifier.'),
        status: z.enum(['PENDING', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED']).describe('Plan status.'),
        quantity: z.int().min(0).describe('Number of proxies in the plan.'),
        proxies: z
          .array(z.string())
          .describe(
            'IP:PORT:USER:PASS; empty until the plan is delivered. With protocol=https the first part is the host that the certificate names.',
          ),
      }),
    ),
    total: z.int().min(0).describe('Number of plans on all pages.'),
    currentPage: z.int().min(1),
    totalPages: z.int().min(0),
  }),
  named: { plans: 'StaticPlan' },
  readOnly: true,
  operation: /* GraphQL */ `
    query ListStaticPlans($kind: StaticKind, $page: Int!, $limit: Int!, $productId: ID, $protocol: StaticProtocol!) {
      staticPlans(kind: $kind, page: $page, limit: $limit, productId: $productId) {
        items {
          id
          status
          quantity
          proxies(protocol: $protocol)
        }
        total
        page
        pageCount
      }
    }
  `,
  variables: ({ type, page, limit, productId, protocol }) => ({
    ...(type !== undefined && { kind: type === 'isp' ? 'ISP' : 'DATACENTER' }),
    page,
    limit,
    protocol: protocol === 'https' ? 'HTTPS' : 'HTTP',
    ...(productId !== undefined && { productId: toId(productId) }),
  }),
  data: ({ staticPlans: { items, total, page, pageCount } }: Result) => ({
    plans: items.map(({ id, status, quantity, proxies }) => ({ _id: id, status, quantity, proxies })),
    total,
    currentPage: page,
    totalPages: pageCount,
  }),
  note: ({ productId }, data) =>
    productId !== undefined && (data as { total: number }).total === 0
      ? `The account has no plan of a product ${productId.slice(0, 60)}.`
      : undefined,
  example: {
    input: { type: 'isp', page: 1, limit: 25, protocol: 'http' },
    data: {
      plans: [{ _id: EXAMPLE_STATIC_PLAN, status: 'ACTIVE', quantity: 1, proxies: ['203.0.113.7:8000:u7k2m9:s3cr3tpass'] }],
      total: 1,
      currentPage: 1,
      totalPages: 1,
    },
  },
});
