import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

interface Result {
  staticSubscriptions: {
    id: string;
    kind: 'ISP' | 'DATACENTER';
    productName: string;
    status: string;
    billing: { status: string; currentPeriodEnd: string; amount: { amountMinor: number }; interval: string; intervalCount: number };
  }[];
}

/** Spec, GET /v1/subscriptions. The Spec does not say the units and values of `billing`: they are those of Stripe, a payment processor. */
export const getSubscriptions = defineEndpoint({
  path: '/v1/subscriptions',
  tool: 'get_subscriptions',
  title: 'Get subscriptions',
  description:
    'Subscription status of the ISP and datacenter plans of the account, with live billing state, newest first. Takes no parameters.',
  message: 'Subscriptions listed.',
  scope: 'read',
  input: z.object({}),
  restNames: {},
  refusals: {},
  codes: [],
  output: z.object({
    subscriptions: z.array(
      z.object({
        plan_id: z.string().describe('Identifier of the static plan.'),
        type: z.enum(['ISP', 'DC']).describe('Kind of plan.'),
        product_name: z.string().describe('Product name.'),
        status: z.enum(['PENDING', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED']).describe('Plan status.'),
        billing: z.object({
          status: z.enum(['incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused']),
          current_period_end: z.int().describe('End of the current billing period, unix seconds.'),
          amount: z.int().describe('Amount per billing period before tax, in minor units (cents, USD).'),
          interval: z.enum(['day', 'week', 'month', 'year']).describe('Billing interval.'),
          interval_count: z.int().min(1).describe('Number of intervals in a billing period.'),
        }),
      }),
    ),
  }),
  named: { subscriptions: 'Subscription', 'subscriptions.billing': 'SubscriptionBilling' },
  readOnly: true,
  operation: /* GraphQL */ `
    query GetSubscriptions {
      staticSubscriptions {
        id
        kind
        productName
        status
        billing {
          status
          currentPeriodEnd
          amount {
            amountMinor
          }
          interval
          intervalCount
        }
      }
    }
  `,
  variables: () => ({}),
  data: ({ staticSubscriptions }: Result) => ({
    subscriptions: staticSubscriptions.map(({ id, kind, productName, status, billing }) => ({
      plan_id: id,
      type: kind === 'ISP' ? 'ISP' : 'DC',
      product_name: productName,
      status,
      billing: {
        status: billing.status.toLowerCase(),
        current_period_end: Math.floor(Date.parse(billing.currentPeriodEnd) / 1_000),
        amount: billing.amount.amountMinor,
        interval: billing.interval.toLowerCase(),
        interval_count: billing.intervalCount,
      },
    })),
  }),
  example: {
    input: {},
    data: {
      subscriptions: [
        {
          plan_id: 'isp_01jd8x4m2c7n5q9r3t6v8w0y1z',
          type: 'ISP',
          product_name: 'ISP Northline',
          status: 'ACTIVE',
          billing: { status: 'active', current_period_end: 1_771_156_800, amount: 2400, interval: 'month', interval_count: 1 },
        },
      ],
    },
  },
});
