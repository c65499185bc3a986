// The endpoints that bring more data into a plan, and tell its owner in time: prices, top-ups, automatic top-ups, alerts.
import { z } from 'zod';
import { fromGb } from '#platform/data-size.ts';
import { type AnyEndpoint, defineEndpoint, planId, toId } from '../endpoint.ts';
import { EXAMPLE_OFFER, OFFER, OFFER_FIELDS, type OfferResult, toOffer } from './order.ts';
import { EXAMPLE_PLAN } from './proxy-user.ts';
import { EXAMPLE_TOP_UPS, TOP_UPS, TOP_UP_FIELDS, type TopUpResult, toTopUps } from './top-up.ts';

/** What all endpoints here have in common. */
const OF_PLAN = {
  input: z.object({ product: planId() }),
  restNames: { product: 'product_id' },
  refusals: { product: { code: 'plan_not_found' } },
  output: TOP_UPS,
  outputName: 'TopUps',
  named: { top_ups: 'TopUp', auto_top_up: 'AutoTopUp', alerts: 'PlanAlerts' },
} as const;
const CHANGES = { ...OF_PLAN, scope: 'plans', readOnly: false } as const;

const gigabytes = () => z.int().min(1).max(1_000_000).describe('Whole GB, priced as a package of that volume.');
const toBytes = (gb: number): string => fromGb(gb).toString();

const listTopUps = defineEndpoint({
  ...OF_PLAN,
  path: '/v1/residential/{product_id}/top-ups',
  tool: 'list_top_ups',
  title: 'List top-ups and alerts',
  description:
    'What was bought into one residential plan after it was made, newest first, its automatic top-ups, and the marks at which its owner is told that data runs out. ' +
    'All of it is valid until valid_until (null: for ever): a top-up before moves that to the later of both, and what is left rolls over.',
  message: 'Top-ups listed.',
  scope: 'read',
  codes: [],
  readOnly: true,
  operation: /* GraphQL */ `
    query ListTopUps($planId: ID!) {
      residentialPlan(id: $planId) {
        ${TOP_UP_FIELDS}
      }
    }
  `,
  variables: ({ product }) => ({ planId: toId(product) }),
  data: ({ residentialPlan }: { residentialPlan: TopUpResult }) => toTopUps(residentialPlan),
  example: { input: { product: EXAMPLE_PLAN }, data: EXAMPLE_TOP_UPS },
});

const topUpPlan = defineEndpoint({
  ...CHANGES,
  method: 'POST',
  path: '/v1/residential/{product_id}/top-ups',
  tool: 'top_up_plan',
  title: 'Top up a plan',
  description:
    'Buys more data for one residential plan; its username, password and lines stay. Costs money: it is paid as automatic top-ups are, which the owner must have ' +
    'switched on, within their monthly ceiling, and not before their pause is over, so that a call that is repeated buys once.',
  message: 'The top-up is being bought.',
  status: 202,
  input: z.object({ product: planId(), gigabytes: gigabytes() }),
  refusals: { ...OF_PLAN.refusals, gigabytes: { code: 'quantity_invalid' } },
  codes: ['action_not_allowed', 'not_sold'],
  operation: /* GraphQL */ `
    mutation TopUpPlan($id: ID!, $gigabytes: Int!) {
      residentialPlanTopUp(id: $id, gigabytes: $gigabytes) {
        ${TOP_UP_FIELDS}
      }
    }
  `,
  variables: ({ product, gigabytes: volume }) => ({ id: toId(product), gigabytes: volume }),
  data: ({ residentialPlanTopUp }: { residentialPlanTopUp: TopUpResult }) => toTopUps(residentialPlanTopUp),
  example: {
    input: { product: EXAMPLE_PLAN, gigabytes: 5 },
    data: { ...EXAMPLE_TOP_UPS, auto_top_up: { ...EXAMPLE_TOP_UPS.auto_top_up, spent: 5_000, is_buying: true } },
  },
});

const getTopUpPrice = defineEndpoint({
  path: '/v1/residential/{product_id}/top-ups/price',
  tool: 'get_top_up_price',
  title: 'Get the price of a top-up',
  description: 'What so many more GB for one residential plan cost now, as an offer that place_order takes. Buys nothing.',
  message: 'Price told.',
  scope: 'plans',
  input: z.object({ product: planId(), gigabytes: gigabytes() }),
  restNames: OF_PLAN.restNames,
  refusals: { ...OF_PLAN.refusals, gigabytes: { code: 'quantity_invalid' } },
  codes: ['action_not_allowed', 'not_sold'],
  output: OFFER,
  outputName: 'Offer',
  readOnly: true,
  operation: /* GraphQL */ `
    query GetTopUpPrice($planId: ID!, $gigabytes: Int!) {
      residentialTopUpOffer(planId: $planId, gigabytes: $gigabytes) {
        ${OFFER_FIELDS}
      }
    }
  `,
  variables: ({ product, gigabytes: volume }) => ({ planId: toId(product), gigabytes: volume }),
  data: ({ residentialTopUpOffer }: { residentialTopUpOffer: OfferResult }) => toOffer(residentialTopUpOffer),
  example: { input: { product: EXAMPLE_PLAN, gigabytes: 5 }, data: { ...EXAMPLE_OFFER, title: 'Premium, +5 GB' } },
});

const AUTO_OPERATION = /* GraphQL */ `
  mutation SetAutoTopUp($id: ID!, $input: AutoTopUpInput) {
    residentialPlanSetAutoTopUp(id: $id, input: $input) {
      ${TOP_UP_FIELDS}
    }
  }
`;
const autoData = ({ residentialPlanSetAutoTopUp }: { residentialPlanSetAutoTopUp: TopUpResult }) => toTopUps(residentialPlanSetAutoTopUp);

const setAutoTopUp = defineEndpoint({
  ...CHANGES,
  method: 'PATCH',
  path: '/v1/residential/{product_id}/auto-top-up',
  tool: 'set_auto_top_up',
  title: 'Set automatic top-ups',
  description:
    'Sets from which rest on, how much, and how often data is bought by itself for one residential plan. A key can do so while automatic top-ups are on, and can only lower the ' +
    'monthly ceiling: the owner switches them on and raises it, signed in.',
  message: 'Automatic top-ups set.',
  input: z.object({
    product: planId(),
    left_gb: z.number().min(0.1).max(10_000).describe('With less than this left, data is bought.'),
    gigabytes: gigabytes(),
    ceiling: z.int().min(1).max(10_000_000).describe('The most of a calendar month of UTC, with tax, in minor units (cents).'),
    pause_minutes: z.int().min(5).max(43_200).default(60).describe('At least so long between two orders.'),
  }),
  refusals: { ...OF_PLAN.refusals, gigabytes: { code: 'quantity_invalid' }, ceiling: { code: 'parameter_invalid' } },
  codes: ['action_not_allowed', 'not_sold'],
  operation: AUTO_OPERATION,
  variables: ({ product, left_gb: left, gigabytes: volume, ceiling, pause_minutes: pauseMinutes }) => ({
    id: toId(product),
    input: { leftBytes: toBytes(left), gigabytes: volume, ceilingMinor: ceiling, pauseMinutes },
  }),
  data: autoData,
  example: { input: { product: EXAMPLE_PLAN, left_gb: 1, gigabytes: 5, ceiling: 10_000 }, data: EXAMPLE_TOP_UPS },
});

const stopAutoTopUp = defineEndpoint({
  ...CHANGES,
  method: 'DELETE',
  path: '/v1/residential/{product_id}/auto-top-up',
  tool: 'stop_auto_top_up',
  title: 'Stop automatic top-ups',
  description:
    'Nothing more is bought by itself for one residential plan; what is being bought is. Only the owner, signed in, can switch it on again.',
  message: 'Automatic top-ups stopped.',
  codes: [],
  operation: AUTO_OPERATION,
  variables: ({ product }) => ({ id: toId(product), input: null }),
  data: autoData,
  example: {
    input: { product: EXAMPLE_PLAN },
    data: { ...EXAMPLE_TOP_UPS, auto_top_up: { ...EXAMPLE_TOP_UPS.auto_top_up, enabled: false } },
  },
});

const setPlanAlerts = defineEndpoint({
  ...CHANGES,
  method: 'PATCH',
  path: '/v1/residential/{product_id}/alerts',
  tool: 'set_plan_alerts',
  title: 'Set alerts of a plan',
  description:
    'At which marks the owner of one residential plan is told by mail and webhook, once for each crossing: percents used, and GB left, five of each at most. ' +
    'Without any marks those apply again that everybody has. 100 percent is always one.',
  message: 'Alerts set.',
  input: z.object({
    product: planId(),
    percents: z.array(z.int().min(1).max(100)).max(5).describe('Of what was bought.').optional(),
    left_gb: z.array(z.number().min(0.001).max(10_000)).max(5).describe('What is left.').optional(),
  }),
  codes: [],
  operation: /* GraphQL */ `
    mutation SetPlanAlerts($id: ID!, $input: PlanAlertsInput) {
      residentialPlanSetAlerts(id: $id, input: $input) {
        ${TOP_UP_FIELDS}
      }
    }
  `,
  variables: ({ product, percents, left_gb: left }) => ({
    id: toId(product),
    input: percents || left ? { percents: percents ?? [], leftBytes: (left ?? []).map(toBytes) } : null,
  }),
  data: ({ residentialPlanSetAlerts }: { residentialPlanSetAlerts: TopUpResult }) => toTopUps(residentialPlanSetAlerts),
  example: { input: { product: EXAMPLE_PLAN, percents: [50, 90], left_gb: [0.5] }, data: EXAMPLE_TOP_UPS },
});

export const TOP_UP_ENDPOINTS: readonly AnyEndpoint[] = [listTopUps, topUpPlan, getTopUpPrice, setAutoTopUp, stopAutoTopUp, setPlanAlerts];
