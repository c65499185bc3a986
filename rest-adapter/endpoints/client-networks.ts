// The endpoints of networks from which a plan is used without a password, or in addition to it.
import { z } from 'zod';
import { type AnyEndpoint, defineEndpoint, planId, toId, words } from '../endpoint.ts';
import {
  BOTH_INPUT,
  NETWORKS_AND_PASSWORD,
  NETWORK_FIELDS,
  NETWORK_INPUT,
  type NetworkResult,
  networkShape,
  toNetwork,
} from './client-network.ts';
import { EXAMPLE_PLAN } from './proxy-user.ts';

interface PlanResult {
  id: string;
  networksAndPassword: boolean;
  networks: (NetworkResult & { line: string })[];
}

const PLAN_FIELDS = /* GraphQL */ `
  id
  networksAndPassword
  networks {
    line
    ${NETWORK_FIELDS}
  }
`;

const OUTPUT = z.object({
  product: z.string().describe('The product_id of the plan.'),
  networks_and_password: NETWORKS_AND_PASSWORD,
  networks: z.array(
    networkShape({
      line: z.string().describe('What a line from there would say after the username: where it leaves from, and its session.'),
    }),
  ),
});

const toNetworks = ({ id, networksAndPassword, networks }: PlanResult) => ({
  product: id,
  networks_and_password: networksAndPassword,
  networks: networks.map(({ line, ...network }) => toNetwork(network, { line })),
});

const EXAMPLE = {
  product: EXAMPLE_PLAN,
  networks_and_password: false,
  networks: [
    {
      network_id: 'net_01jd8x4m2c7n5q9r3t6v8w0y1z',
      network: '203.0.113.0/28',
      line: '-country-de-session-48120394-sessionttl-60',
      note: 'Office',
      created_at: '2026-01-15T10:00:00.000Z',
      used_at: null,
    },
  ],
};

/** What all endpoints here have in common. */
const OF_PLAN = {
  input: z.object({ product: planId() }),
  restNames: { product: 'product_id' },
  refusals: { product: { code: 'plan_not_found' } },
  codes: [],
  output: OUTPUT,
  outputName: 'ClientNetworks',
  named: { networks: 'ClientNetwork' },
} as const;

const listClientNetworks = defineEndpoint({
  ...OF_PLAN,
  path: '/v1/residential/{product_id}/networks',
  tool: 'list_client_networks',
  title: 'List client networks',
  description:
    'The networks that one residential plan is used from without a password, and whether its lines need both. Of several that hold an address the most specific is meant.',
  message: 'Client networks listed.',
  scope: 'read',
  readOnly: true,
  operation: /* GraphQL */ `
    query ListClientNetworks($planId: ID!) {
      residentialPlan(id: $planId) {
        ${PLAN_FIELDS}
      }
    }
  `,
  variables: ({ product }) => ({ planId: toId(product) }),
  data: ({ residentialPlan }: { residentialPlan: PlanResult }) => toNetworks(residentialPlan),
  example: { input: { product: EXAMPLE_PLAN }, data: EXAMPLE },
});

const addClientNetwork = defineEndpoint({
  ...OF_PLAN,
  method: 'POST',
  path: '/v1/residential/{product_id}/networks',
  tool: 'add_client_network',
  title: 'Add a client network',
  description:
    'Lets a network use one residential plan without a password, on every proxy node within a second: an address, or a network of at most /24 (IPv4) or /48 (IPv6) ' +
    'that no other plan has. What comes from there leaves from the given place. Use it for clients that cannot send proxy credentials.',
  message: 'Client network added.',
  scope: 'plans',
  input: z.object({
    product: planId(),
    network: NETWORK_INPUT.network,
    pool: words('A country name or code, several with commas between, Worldwide, or Europe.').default('Worldwide'),
    sticky: z.boolean().default(true).describe('true: one IP address for the session lifetime. false: a fresh one for each connection.'),
    time: z
      .int()
      .min(1)
      .max(100_000)
      .default(60)
      .describe("Sticky session lifetime in minutes; in the product's list, also when sticky is false."),
    state: words('State or subdivision; single-country pools only.').optional(),
    city: words('City; single-country pools only.').optional(),
    exclude: words('Countries with commas between that it does not leave from.').optional(),
    note: NETWORK_INPUT.note,
  }),
  refusals: {
    ...OF_PLAN.refusals,
    network: { code: 'parameter_invalid' },
    pool: { code: 'pool_unknown' },
    exclude: { code: 'pool_unknown' },
    time: { code: 'time_not_allowed' },
    state: { code: 'state_unknown' },
    city: { code: 'city_unknown' },
  },
  codes: ['targeting_needs_country'],
  readOnly: false,
  operation: /* GraphQL */ `
    mutation AddClientNetwork($planId: ID!, $input: ClientNetworkInput!) {
      clientNetworkAdd(planId: $planId, input: $input) {
        ${PLAN_FIELDS}
      }
    }
  `,
  variables: ({ product, network, sticky, time, note, ...targeting }) => ({
    planId: toId(product),
    input: { network, note, targeting, session: sticky ? 'STICKY' : 'ROTATING', sessionMinutes: time },
  }),
  data: ({ clientNetworkAdd }: { clientNetworkAdd: PlanResult }) => toNetworks(clientNetworkAdd),
  example: {
    input: { product: EXAMPLE_PLAN, network: '203.0.113.0/28', pool: 'Germany', sticky: true, time: 60, note: 'Office' },
    data: EXAMPLE,
  },
});

const removeClientNetwork = defineEndpoint({
  ...OF_PLAN,
  method: 'DELETE',
  path: '/v1/residential-networks/{network_id}',
  formerPath: '/v1/residential/networks/{network_id}',
  tool: 'remove_client_network',
  title: 'Remove a client network',
  description:
    'New connections from a network need a password again, on every proxy node within a second. Answers with the networks that are left.',
  message: 'Client network removed.',
  scope: 'plans',
  input: z.object({ network: z.string().describe('Identifier of the network, from the list of the plan (network_id).') }),
  restNames: { network: 'network_id' },
  refusals: { network: { code: 'network_not_found' } },
  readOnly: false,
  destructive: true,
  operation: /* GraphQL */ `
    mutation RemoveClientNetwork($id: ID!) {
      clientNetworkRemove(id: $id) {
        ${PLAN_FIELDS}
      }
    }
  `,
  variables: ({ network }) => ({ id: toId(network) }),
  data: ({ clientNetworkRemove }: { clientNetworkRemove: PlanResult }) => toNetworks(clientNetworkRemove),
  example: { input: { network: EXAMPLE.networks[0]?.network_id ?? '' }, data: { ...EXAMPLE, networks: [] } },
});

const setPlanLogIn = defineEndpoint({
  ...OF_PLAN,
  method: 'PATCH',
  path: '/v1/residential/{product_id}/log-in',
  tool: 'set_plan_log_in',
  title: 'Set how a plan is logged in to',
  description:
    'Whether lines of one residential plan need their password and one of its client networks (true), or either of the two (false). With true and no network, nobody gets in.',
  message: 'Log-in set.',
  scope: 'plans',
  input: z.object({ product: planId(), ...BOTH_INPUT }),
  readOnly: false,
  operation: /* GraphQL */ `
    mutation SetPlanLogIn($id: ID!, $both: Boolean!) {
      residentialPlanSetLogIn(id: $id, networksAndPassword: $both) {
        ${PLAN_FIELDS}
      }
    }
  `,
  variables: ({ product, networks_and_password: both }) => ({ id: toId(product), both }),
  data: ({ residentialPlanSetLogIn }: { residentialPlanSetLogIn: PlanResult }) => toNetworks(residentialPlanSetLogIn),
  example: { input: { product: EXAMPLE_PLAN, networks_and_password: false }, data: EXAMPLE },
});

export const CLIENT_NETWORK_ENDPOINTS: readonly AnyEndpoint[] = [listClientNetworks, addClientNetwork, removeClientNetwork, setPlanLogIn];
