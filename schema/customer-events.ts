// What customers are told of: public types, in the words and units of REST. What stands here is published; it only grows.
import { z } from 'zod';

interface CustomerEvent {
  /** When it is sent, in one sentence. */
  says: string;
  data: z.ZodObject;
  example: object;
}

const PLAN = 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z';
const STATIC = 'isp_01jd8x4m2c7n5q9r3t6v8w0y1z';
const SERVER = 'vps_01jd8x4m2c7n5q9r3t6v8w0y1z';
const ORDER = 'ord_01jd8x4m2c7n5q9r3t6v8w0y1z';

const ofPlan = z.object({ product_id: z.string() });
const ofStatic = z.object({ plan_id: z.string() });
const ofServer = z.object({ server_id: z.string() });

/** Type -> when it is sent, and its `data`. */
export const CUSTOMER_EVENTS = {
  'residential_plan.balance_low': {
    says: 'Use has passed a mark of a residential package: 80, 95 or 100 percent, or those that its owner has set.',
    data: ofPlan.extend({
      title: z.string(),
      percent: z.int(),
      left_gb: z.number().optional().describe('The mark, where it is one of data left; `percent` is what is used then.'),
    }),
    example: { product_id: PLAN, title: 'Premium, 5 GB', percent: 80 },
  },
  'residential_plan.balance_resolved': {
    says: 'A package that ran low has grown, or another one of its product was bought.',
    data: ofPlan.extend({ percent: z.int(), new_product_id: z.string().nullable() }),
    example: { product_id: PLAN, percent: 80, new_product_id: null },
  },
  'residential_plan.paused': {
    says: 'The Daily Usage Limit of a package is reached.',
    data: ofPlan,
    example: { product_id: PLAN },
  },
  'residential_plan.resumed': {
    says: 'A paused package works again.',
    data: ofPlan,
    example: { product_id: PLAN },
  },
  'residential_plan.expired': {
    says: 'All bytes of a package are used, or its validity is over.',
    data: ofPlan,
    example: { product_id: PLAN },
  },
  'residential_plan.ends_soon': {
    says: 'The validity of a package of which data is left ends within 7 days, or within 1; once for each.',
    data: ofPlan.extend({ title: z.string(), days: z.int(), left_gb: z.number(), valid_until: z.string() }),
    example: { product_id: PLAN, title: 'Premium, 5 GB', days: 7, left_gb: 2.5, valid_until: '2026-01-22T12:00:00.000Z' },
  },
  'residential_plan.lapsed': {
    says: 'The validity of a package is over, and what was left of it has lapsed.',
    data: ofPlan.extend({ title: z.string(), lapsed_gb: z.number(), valid_until: z.string() }),
    example: { product_id: PLAN, title: 'Premium, 5 GB', lapsed_gb: 2.5, valid_until: '2026-01-22T12:00:00.000Z' },
  },
  'residential_plan.reset': {
    says: 'Username and password of a package are new: lines from before are refused.',
    data: ofPlan.extend({ by: z.enum(['owner', 'support']) }),
    example: { product_id: PLAN, by: 'owner' },
  },
  'static_plan.delivered': {
    says: 'Addresses of an ISP or datacenter plan are there; `quantity` below zero: fewer.',
    data: ofStatic.extend({ order_id: z.string(), quantity: z.int() }),
    example: { plan_id: STATIC, order_id: ORDER, quantity: 5 },
  },
  'static_plan.address_replaced': {
    says: 'Addresses of a plan were exchanged for others.',
    data: ofStatic.extend({
      asked_by: z.enum(['owner', 'support', 'platform']),
      reason: z.string(),
      addresses: z.array(z.object({ gone: z.string(), came: z.string() })),
    }),
    example: {
      plan_id: STATIC,
      asked_by: 'platform',
      reason: 'It failed its checks.',
      addresses: [{ gone: '192.0.2.7', came: '192.0.2.9' }],
    },
  },
  'static_plan.suspended': {
    says: 'The last retry of a renewal has failed: the addresses do not work until it is paid.',
    data: ofStatic,
    example: { plan_id: STATIC },
  },
  'static_plan.resumed': { says: 'A suspended plan was paid.', data: ofStatic, example: { plan_id: STATIC } },
  'server.ready': {
    says: 'A server is delivered.',
    data: ofServer.extend({ order_id: z.string() }),
    example: { server_id: SERVER, order_id: ORDER },
  },
  'server.suspended': {
    says: 'The last retry of a renewal has failed: the server is off until it is paid.',
    data: ofServer,
    example: { server_id: SERVER },
  },
  'server.resumed': { says: 'A suspended server was paid.', data: ofServer, example: { server_id: SERVER } },
  'server.removed': { says: 'A server is gone, with its data.', data: ofServer, example: { server_id: SERVER } },
  'order.fulfilled': {
    says: 'What an order bought is delivered; `resource_id` is what it made or changed.',
    data: z.object({ order_id: z.string(), resource_id: z.string().nullable() }),
    example: { order_id: ORDER, resource_id: PLAN },
  },
  'invoice.paid': {
    says: 'An order or a renewal is paid, and its invoice is there.',
    data: z.object({
      invoice_id: z.string(),
      number: z.string(),
      order_id: z.string(),
      total: z.int().describe('With tax, in minor units (cents).'),
      currency: z.string(),
    }),
    example: {
      invoice_id: 'inv_01jd8x4m2c7n5q9r3t6v8w0y1z',
      number: 'INV-2026-000042',
      order_id: ORDER,
      total: 2_500,
      currency: 'USD',
    },
  },
  'invoice.failed': {
    says: 'A renewal could not be paid; it is tried again.',
    data: z.object({ subscription_id: z.string(), order_id: z.string() }),
    example: { subscription_id: 'sub_01jd8x4m2c7n5q9r3t6v8w0y1z', order_id: ORDER },
  },
} as const satisfies Record<string, CustomerEvent>;

export type CustomerEventType = keyof typeof CUSTOMER_EVENTS;
export type CustomerData<Type extends CustomerEventType> = z.output<(typeof CUSTOMER_EVENTS)[Type]['data']>;

export const CUSTOMER_EVENT_TYPES = Object.keys(CUSTOMER_EVENTS) as CustomerEventType[];
export const isCustomerEvent = (type: string): type is CustomerEventType => Object.hasOwn(CUSTOMER_EVENTS, type);

/** What an owner has sent to see whether an end point hears it. */
export const TEST_EVENT = 'webhook.test';

/** The text that is signed and sent. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, Payload structure */
export const bodyOf = (type: string, at: Date, data: object): string => JSON.stringify({ type, timestamp: at.toISOString(), data });
