// The endpoints of networks from which a static plan, or one address of it, is used without a password, or in addition to it.
import { z } from 'zod';
import { type AnyEndpoint, defineEndpoint, toId } from '../endpoint.ts';
import {
  BOTH_INPUT,
  NETWORKS_AND_PASSWORD,
  NETWORK_FIELDS,
  NETWORK_INPUT,
  type NetworkResult,
  networkShape,
  toNetwork,
} from './client-network.ts';
import { EXAMPLE_STATIC_PLAN } from './list-static-plans.ts';

interface PlanResult {
  id: string;
  networksAndPassword: boolean;
  networks: (NetworkResult & { ip: string | null })[];
}

const PLAN_FIELDS = /* GraphQL */ `
  id
  networksAndPassword
  networks {
    ip
    ${NETWORK_FIELDS}
  }
`;

const OUTPUT = z.object({
  plan_id: z.string(),
  networks_and_password: NETWORKS_AND_PASSWORD,
  networks: z.array(networkShape({ ip: z.string().nullable().describe('The address of the plan that it may use; null: all of them.') })),
});

const toNetworks = ({ id, networksAndPassword, networks }: PlanResult) => ({
  plan_id: id,
  networks_and_password: networksAndPassword,
  networks: networks.map(({ ip, ...network }) => toNetwork(network, { ip })),
});

const EXAMPLE = {
  plan_id: EXAMPLE_STATIC_PLAN,
  networks_and_password: false,
  networks: [
    {
      network_id: 'net_01jd8x4m2c7n5q9r3t6v8w0y1z',
      network: '203.0.113.0/28',
      ip: '198.51.100.7',
      note: 'Office',
      created_at: '2026-01-15T10:00:00.000Z',
      used_at: null,
    },
  ],
};

const staticPlanId = () => z.string().describe('Identifier of the static plan, from the list of static plans (_id).');

/** What all endpoints here have in common. */
const OF_PLAN = {
  input: z.object({ static_plan: staticPlanId() }),
  restNames: { static_plan: 'plan_id' },
  refusals: { static_plan: { code: 'plan_not_found' } },
  codes: ['action_not_allowed'],
  output: OUTPUT,
  outputName: 'StaticNetworks',
  named: { networks: 'StaticNetwork' },
} as const;

const listStaticNetworks = defineEndpoint({
  ...OF_PLAN,
  path: '/v1/static/{plan_id}/networks',
  tool: 'list_static_networks',
  title: 'List networks of a static plan',
  description:
    'The networks that one ISP or datacenter plan is used from without a password, and whether its lines need both. Of several that hold an address the most specific is meant.',
  message: 'Networks listed.',
  scope: 'read',
  codes: [],
  readOnly: true,
  operation: /* GraphQL */ `
    query ListStaticNetworks($planId: ID!) {
      staticPlan(id: $planId) {
        ${PLAN_FIELDS}
      }
    }
  `,
  variables: ({ static_plan: plan }) => ({ planId: toId(plan) }),
  data: ({ staticPlan }: { staticPlan: PlanResult }) => toNetworks(staticPlan),
  example: { input: { static_plan: EXAMPLE_STATIC_PLAN }, data: EXAMPLE },
});

const addStaticNetwork = defineEndpoint({
  ...OF_PLAN,
  method: 'POST',
  path: '/v1/static/{plan_id}/networks',
  tool: 'add_static_network',
  title: 'Add a network to a static plan',
  description:
    'Lets a network use one ISP or datacenter plan, or one address of it, without a password, on every proxy node within a second: an address, or a network of ' +
    'at most /24 (IPv4) or /48 (IPv6). What it dials says which address it leaves from. Use it for clients that cannot send proxy credentials.',
  message: 'Network added.',
  scope: 'plans',
  input: z.object({
    static_plan: staticPlanId(),
    ip: z.string().min(1).max(64).describe('One address of the plan; absent: all of them.').optional(),
    ...NETWORK_INPUT,
  }),
  refusals: { ...OF_PLAN.refusals, network: { code: 'parameter_invalid' }, ip: { code: 'parameter_invalid' } },
  readOnly: false,
  operation: /* GraphQL */ `
    mutation AddStaticNetwork($planId: ID!, $input: StaticNetworkInput!) {
      staticNetworkAdd(planId: $planId, input: $input) {
        ${PLAN_FIELDS}
      }
    }
  `,
  variables: ({ static_plan: plan, ...input }) => ({ planId: toId(plan), input }),
  data: ({ staticNetworkAdd }: { staticNetworkAdd: PlanResult }) => toNetworks(staticNetworkAdd),
  example: { input: { static_plan: EXAMPLE_STATIC_PLAN, network: '203.0.113.0/28', ip: '198.51.100.7', note: 'Office' }, data: EXAMPLE },
});

const removeStaticNetwork = defineEndpoint({
  ...OF_PLAN,
  method: 'DELETE',
  path: '/v1/static-networks/{network_id}',
  tool: 'remove_static_network',
  title: 'Remove a network of a static plan',
  description:
    'New connections from a network need a password again, on every proxy node within a second, and open ones end. Answers with the networks that are left.',
  message: 'Network removed.',
  scope: 'plans',
  input: z.object({ network: z.string().describe('Identifier of the network, from the list of the static plan (network_id).') }),
  restNames: { network: 'network_id' },
  refusals: { network: { code: 'network_not_found' } },
  readOnly: false,
  destructive: true,
  operation: /* GraphQL */ `
    mutation RemoveStaticNetwork($id: ID!) {
      staticNetworkRemove(id: $id) {
        ${PLAN_FIELDS}
      }
    }
  `,
  variables: ({ network }) => ({ id: toId(network) }),
  data: ({ staticNetworkRemove }: { staticNetworkRemove: PlanResult }) => toNetworks(staticNetworkRemove),
  example: { input: { network: EXAMPLE.networks[0]?.network_id ?? '' }, data: { ...EXAMPLE, networks: [] } },
});

const setStaticLogIn = defineEndpoint({
  ...OF_PLAN,
  method: 'PATCH',
  path: '/v1/static/{plan_id}/log-in',
  tool: 'set_static_log_in',
  title: 'Set how a static plan is logged in to',
  description:
    'Whether lines of one ISP or datacenter plan need their password and one of its networks (true), or either of the two (false). With true and no network, nobody gets in.',
  message: 'Log-in set.',
  scope: 'plans',
  input: z.object({ static_plan: staticPlanId(), ...BOTH_INPUT }),
  readOnly: false,
  operation: /* GraphQL */ `
    mutation SetStaticLogIn($id: ID!, $both: Boolean!) {
      staticPlanSetLogIn(id: $id, networksAndPassword: $both) {
        ${PLAN_FIELDS}
      }
    }
  `,
  variables: ({ static_plan: plan, networks_and_password: both }) => ({ id: toId(plan), both }),
  data: ({ staticPlanSetLogIn }: { staticPlanSetLogIn: PlanResult }) => toNetworks(staticPlanSetLogIn),
  example: { input: { static_plan: EXAMPLE_STATIC_PLAN, networks_and_password: false }, data: EXAMPLE },
});

export const STATIC_NETWORK_ENDPOINTS: readonly AnyEndpoint[] = [listStaticNetworks, addStaticNetwork, removeStaticNetwork, setStaticLogIn];
