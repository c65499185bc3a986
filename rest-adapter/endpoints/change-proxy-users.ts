// The endpoints that read and change one proxy user of a plan. A change takes effect on every proxy node within a second.
import { z } from 'zod';
import { PROXY_USERS_MAX } from '../../schema/limits.ts';
import { type AnyEndpoint, defineEndpoint, planId, toId, words } from '../endpoint.ts';
import {
  EXAMPLE_PLAN,
  EXAMPLE_USER,
  PROXY_USER,
  PROXY_USER_FIELDS,
  type ProxyUserResult,
  TERMS_INPUT,
  ofUser,
  termsOf,
  toProxyUser,
  userId,
} from './proxy-user.ts';

const OUTPUT = z.object({ user: PROXY_USER });
const EXAMPLE = { user: EXAMPLE_USER.user_id };

/** What all endpoints on one user have in common. */
const ON_USER = {
  scope: 'generate',
  input: z.object({ user: userId() }),
  restNames: { user: 'user_id' },
  refusals: { user: { code: 'proxy_user_not_found' } },
  codes: [],
  output: OUTPUT,
  outputName: 'ProxyUserState',
  readOnly: false,
  variables: ofUser,
} as const;

const createProxyUser = defineEndpoint({
  method: 'POST',
  path: '/v1/residential/{product_id}/users',
  tool: 'create_proxy_user',
  title: 'Create a proxy user',
  description:
    'A new proxy user of one residential plan: a username and password for lines that use bytes of the plan, within limits of its own and, if ' +
    `given, for some places, targets and addresses only. A plan has at most ${PROXY_USERS_MAX.toLocaleString('en')}.`,
  message: 'Proxy user created.',
  scope: 'generate',
  input: z.object({ product: planId(), name: words('What it is called, at most 100 characters.'), ...TERMS_INPUT }),
  restNames: { product: 'product_id' },
  refusals: { product: { code: 'plan_not_found' } },
  codes: ['proxy_users_full', 'pool_unknown', 'parameter_invalid'],
  output: OUTPUT,
  outputName: 'ProxyUserState',
  readOnly: false,
  operation: /* GraphQL */ `
    mutation CreateProxyUser($planId: ID!, $user: ProxyUserInput!) {
      proxyUsersCreate(planId: $planId, users: [$user]) {
        ${PROXY_USER_FIELDS}
      }
    }
  `,
  variables: ({ product, ...terms }) => ({ planId: toId(product), user: termsOf(terms) }),
  data: ({ proxyUsersCreate: [user] }: { proxyUsersCreate: [ProxyUserResult] }) => ({ user: toProxyUser(user) }),
  example: {
    input: { product: EXAMPLE_PLAN, name: 'Shop watch', daily_limit_gb: 1, countries: ['Germany'] },
    data: { user: EXAMPLE_USER },
  },
});

const getProxyUser = defineEndpoint({
  ...ON_USER,
  path: '/v1/residential-users/{user_id}',
  formerPath: '/v1/residential/users/{user_id}',
  tool: 'get_proxy_user',
  title: 'Get a proxy user',
  description: 'One proxy user: its credentials, limits, and what it has used.',
  message: 'Proxy user read.',
  readOnly: true,
  operation: /* GraphQL */ `
    query GetProxyUser($id: ID!) {
      proxyUser(id: $id) {
        ${PROXY_USER_FIELDS}
      }
    }
  `,
  data: ({ proxyUser }: { proxyUser: ProxyUserResult }) => ({ user: toProxyUser(proxyUser) }),
  example: { input: EXAMPLE, data: { user: EXAMPLE_USER } },
});

const changeProxyUser = defineEndpoint({
  ...ON_USER,
  method: 'PATCH',
  path: '/v1/residential-users/{user_id}',
  formerPath: '/v1/residential/users/{user_id}',
  tool: 'change_proxy_user',
  title: 'Change a proxy user',
  description: 'Renames a proxy user, pauses it or lets it go on, and sets its limits and rules. What is left out stays as it is.',
  message: 'Proxy user changed.',
  input: z.object({
    user: userId(),
    name: words('What it is called.').optional(),
    paused: z.boolean().describe('true: its lines are refused until it is false again.').optional(),
    ...TERMS_INPUT,
  }),
  codes: ['pool_unknown', 'parameter_invalid'],
  operation: /* GraphQL */ `
    mutation ChangeProxyUser($id: ID!, $input: ProxyUserInput!) {
      proxyUserChange(id: $id, input: $input) {
        ${PROXY_USER_FIELDS}
      }
    }
  `,
  variables: ({ user, ...terms }) => ({ id: toId(user), input: termsOf(terms) }),
  data: ({ proxyUserChange }: { proxyUserChange: ProxyUserResult }) => ({ user: toProxyUser(proxyUserChange) }),
  example: { input: { ...EXAMPLE, total_limit_gb: 20 }, data: { user: EXAMPLE_USER } },
});

const resetProxyUser = defineEndpoint({
  ...ON_USER,
  method: 'POST',
  path: '/v1/residential-users/{user_id}/reset',
  formerPath: '/v1/residential/users/{user_id}/reset',
  tool: 'reset_proxy_user_password',
  title: "Reset a proxy user's password",
  description: 'A new password at once: lines with the old one are refused, and what they have open ends within a second.',
  message: 'The proxy user has a new password.',
  destructive: true,
  operation: /* GraphQL */ `
    mutation ResetProxyUser($id: ID!) {
      proxyUserResetPassword(id: $id) {
        ${PROXY_USER_FIELDS}
      }
    }
  `,
  data: ({ proxyUserResetPassword }: { proxyUserResetPassword: ProxyUserResult }) => ({ user: toProxyUser(proxyUserResetPassword) }),
  example: { input: EXAMPLE, data: { user: EXAMPLE_USER } },
});

const renewProxyUser = defineEndpoint({
  ...ON_USER,
  method: 'POST',
  path: '/v1/residential-users/{user_id}/renew',
  formerPath: '/v1/residential/users/{user_id}/renew',
  tool: 'renew_proxy_user',
  title: "Renew a proxy user's allowance",
  description: 'The total limit of a proxy user counts from now: it may use as much again. What it has used stays in every sum.',
  message: 'The allowance of the proxy user counts from now.',
  operation: /* GraphQL */ `
    mutation RenewProxyUser($id: ID!) {
      proxyUserRenew(id: $id) {
        ${PROXY_USER_FIELDS}
      }
    }
  `,
  data: ({ proxyUserRenew }: { proxyUserRenew: ProxyUserResult }) => ({ user: toProxyUser(proxyUserRenew) }),
  example: { input: EXAMPLE, data: { user: EXAMPLE_USER } },
});

const removeProxyUser = defineEndpoint({
  ...ON_USER,
  method: 'DELETE',
  path: '/v1/residential-users/{user_id}',
  formerPath: '/v1/residential/users/{user_id}',
  tool: 'remove_proxy_user',
  title: 'Remove a proxy user',
  description: 'Its lines are refused for good, and what they have open ends within a second. What it has used stays with the plan.',
  message: 'Proxy user removed.',
  output: z.object({ user_id: z.string() }),
  outputName: 'RemovedProxyUser',
  destructive: true,
  operation: /* GraphQL */ `
    mutation RemoveProxyUser($id: ID!) {
      proxyUserRemove(id: $id) {
        id
      }
    }
  `,
  data: ({ proxyUserRemove }: { proxyUserRemove: { id: string } }) => ({ user_id: proxyUserRemove.id }),
  example: { input: EXAMPLE, data: { user_id: EXAMPLE_USER.user_id } },
});

export const PROXY_USER_ENDPOINTS: readonly AnyEndpoint[] = [
  createProxyUser,
  getProxyUser,
  changeProxyUser,
  resetProxyUser,
  renewProxyUser,
  removeProxyUser,
];
