import { z } from 'zod';
import { defineEndpoint, planId, toId, words } from '../endpoint.ts';
import { EXAMPLE_PLAN, EXAMPLE_USER, PROXY_USER, PROXY_USER_FIELDS, type ProxyUserResult, toProxyUser } from './proxy-user.ts';

interface Result {
  residentialPlan: { users: { items: ProxyUserResult[]; total: number; page: number; pageCount: number } };
}

/** Not in the Spec, as all endpoints for proxy users. */
export const listProxyUsers = defineEndpoint({
  path: '/v1/residential/{product_id}/users',
  tool: 'list_proxy_users',
  title: 'List proxy users',
  description:
    'Proxy users of one residential plan, newest first: each has a username and password of its own, limits, and what it has used of the plan.',
  message: 'Proxy users listed.',
  scope: 'generate',
  input: z.object({
    product: planId(),
    search: words('Words in the name or the username.').optional(),
    page: z.int().min(1).max(1_000_000).default(1).describe('Page number.'),
    limit: z.int().min(1).max(100).default(25).describe('Results per page, at most 100.'),
  }),
  restNames: { product: 'product_id' },
  refusals: { product: { code: 'plan_not_found' }, page: { code: 'page_invalid' }, limit: { code: 'limit_invalid' } },
  codes: [],
  output: z.object({ users: z.array(PROXY_USER), total: z.int(), currentPage: z.int(), totalPages: z.int() }),
  named: { users: 'ProxyUser' },
  readOnly: true,
  operation: /* GraphQL */ `
    query ListProxyUsers($planId: ID!, $search: String, $page: Int!, $limit: Int!) {
      residentialPlan(id: $planId) {
        users(search: $search, page: $page, limit: $limit) {
          items {
            ${PROXY_USER_FIELDS}
          }
          total
          page
          pageCount
        }
      }
    }
  `,
  variables: ({ product, search, page, limit }) => ({ planId: toId(product), search, page, limit }),
  data: ({ residentialPlan: { users } }: Result) => ({
    users: users.items.map(toProxyUser),
    total: users.total,
    currentPage: users.page,
    totalPages: users.pageCount,
  }),
  example: {
    input: { product: EXAMPLE_PLAN },
    data: { users: [EXAMPLE_USER], total: 1, currentPage: 1, totalPages: 1 },
  },
});
