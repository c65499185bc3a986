// The endpoints with which a key buys: a price, which is a signed offer, and then the order of exactly that.
import { z } from 'zod';
import { fail } from '#platform/errors.ts';
import { IDEMPOTENCY_KEY_LENGTH as KEY_LENGTH } from '../../schema/limits.ts';
import { type AnyEndpoint, defineEndpoint, toId } from '../endpoint.ts';
import { SYSTEMS } from './act-on-server.ts';
import {
  EXAMPLE_OFFER,
  EXAMPLE_ORDER,
  OFFER,
  OFFER_FIELDS,
  type OfferResult,
  ORDER,
  ORDER_FIELDS,
  type OrderResult,
  toOffer,
  toOrder,
} from './order.ts';

/** What the offers have in common. They hold nothing: stock is held from the order on. */
const OFFERING = {
  method: 'POST',
  message: 'Price told.',
  scope: 'plans',
  restNames: {},
  refusals: {},
  output: OFFER,
  outputName: 'Offer',
  readOnly: true,
} as const;

const MONTHS = z.union([z.literal(1), z.literal(3), z.literal(6)]).describe('How many months are paid upfront: 1, 3 or 6.');
const toMonths = { refusals: { months: { code: 'parameter_invalid', allowed: [1, 3, 6] } } } as const;
const HOSTNAME = z.string().max(253).describe('Absent: it gets one.').optional();
const OS = z.enum(SYSTEMS).describe('The system to install.');
const PRODUCTS = ['premium', 'private_residential', 'mobile', 'alt_residential'] as const;

const offerResidential = defineEndpoint({
  ...OFFERING,
  path: '/v1/offers/residential',
  tool: 'get_residential_offer',
  title: 'Get the price of a residential plan',
  description: 'What a new residential plan of so many GB costs now, as an offer that place_order takes. Buys nothing.',
  input: z.object({
    product: z.enum(PRODUCTS),
    gigabytes: z.int().min(1).max(1_000_000).describe('Whole GB.'),
  }),
  refusals: { gigabytes: { code: 'quantity_invalid' } },
  codes: ['not_sold'],
  operation: /* GraphQL */ `
    query GetResidentialOffer($product: ResidentialProductCode!, $gigabytes: Int!) {
      residentialOffer(product: $product, gigabytes: $gigabytes) {
        ${OFFER_FIELDS}
      }
    }
  `,
  variables: ({ product, gigabytes }) => ({ product: product.toUpperCase(), gigabytes }),
  data: ({ residentialOffer }: { residentialOffer: OfferResult }) => toOffer(residentialOffer),
  example: { input: { product: 'premium', gigabytes: 5 }, data: EXAMPLE_OFFER },
});

const offerStatic = defineEndpoint({
  ...OFFERING,
  path: '/v1/offers/static',
  tool: 'get_static_offer',
  title: 'Get the price of a static plan',
  description:
    'What so many ISP or datacenter addresses cost now for a month, as an offer that place_order takes. Buys nothing and holds nothing.',
  input: z.object({
    product: z.string().max(64).describe('Id of a product of the catalogue, such as isp-northline.'),
    quantity: z.int().min(1).max(1_000_000).describe('How many addresses.'),
  }),
  refusals: { quantity: { code: 'quantity_invalid' } },
  codes: ['not_sold', 'out_of_stock'],
  operation: /* GraphQL */ `
    mutation GetStaticOffer($product: ID!, $quantity: Int!) {
      staticOfferMake(productId: $product, quantity: $quantity) {
        ${OFFER_FIELDS}
      }
    }
  `,
  variables: ({ product, quantity }) => ({ product: toId(product), quantity }),
  data: ({ staticOfferMake }: { staticOfferMake: OfferResult }) => toOffer(staticOfferMake),
  example: {
    input: { product: 'isp-northline', quantity: 10 },
    data: { ...EXAMPLE_OFFER, title: 'Northline ISP, 10 addresses', renews_for: 2_500, renews_every_months: 1 },
  },
});

const SERVER_EXAMPLE = { ...EXAMPLE_OFFER, subtotal: 3_200, total: 3_200, renews_for: 3_200, renews_every_months: 1 };

const offerVps = defineEndpoint({
  ...OFFERING,
  path: '/v1/offers/vps',
  tool: 'get_vps_offer',
  title: 'Get the price of a VPS',
  description: 'What a VPS costs now, as an offer that place_order takes. Buys nothing.',
  input: z.object({
    plan: z.enum(['plank', 'broglie', 'einstein']),
    months: MONTHS,
    os: OS,
    hostname: HOSTNAME,
    extra_ipv4: z.int().min(0).max(64).default(0).describe('Addresses beside its own.'),
    ssh_keys: z.array(z.string()).max(20).describe('Public keys, for Linux.').optional(),
    backups: z.boolean().default(false).describe('Weekly backups.'),
    user_data: z.string().max(65_536).describe("cloud-init's.").optional(),
    location: z.string().max(60).describe('One of list_vps_locations; absent: where there is room.').optional(),
  }),
  ...toMonths,
  codes: ['not_sold', 'servers_not_sold', 'out_of_stock'],
  operation: /* GraphQL */ `
    query GetVpsOffer(
      $plan: VpsPlanCode!, $months: Int!, $os: OperatingSystem!, $hostname: String, $extraIpv4: Int, $sshKeys: [String!], $backups: Boolean, $userData: String,
      $location: String
    ) {
      vpsOffer(
        plan: $plan, months: $months, os: $os, hostname: $hostname, extraIpv4: $extraIpv4, sshKeys: $sshKeys, backups: $backups, userData: $userData, location: $location
      ) {
        ${OFFER_FIELDS}
      }
    }
  `,
  variables: ({ plan, months, os, hostname, extra_ipv4: extraIpv4, ssh_keys: sshKeys, backups, user_data: userData, location }) => ({
    plan: plan.toUpperCase(),
    months,
    os: os.toUpperCase(),
    hostname,
    extraIpv4,
    sshKeys,
    backups,
    userData,
    location,
  }),
  data: ({ vpsOffer }: { vpsOffer: OfferResult }) => toOffer(vpsOffer),
  example: { input: { plan: 'plank', months: 1, os: 'debian_13' }, data: { ...SERVER_EXAMPLE, title: 'Plank' } },
});

const offerDedicated = defineEndpoint({
  ...OFFERING,
  path: '/v1/offers/dedicated',
  tool: 'get_dedicated_offer',
  title: 'Get the price of a dedicated server',
  description: 'What a dedicated server costs now, as an offer that place_order takes. Buys nothing and holds nothing.',
  input: z.object({ plan: z.enum(['faraday', 'noether', 'curie']), months: MONTHS, os: OS, hostname: HOSTNAME }),
  ...toMonths,
  codes: ['not_sold', 'servers_not_sold', 'out_of_stock'],
  operation: /* GraphQL */ `
    query GetDedicatedOffer($plan: DedicatedPlanCode!, $months: Int!, $os: OperatingSystem!, $hostname: String) {
      dedicatedOffer(plan: $plan, months: $months, os: $os, hostname: $hostname) {
        ${OFFER_FIELDS}
      }
    }
  `,
  variables: ({ plan, months, os, hostname }) => ({ plan: plan.toUpperCase(), months, os: os.toUpperCase(), hostname }),
  data: ({ dedicatedOffer }: { dedicatedOffer: OfferResult }) => toOffer(dedicatedOffer),
  example: { input: { plan: 'faraday', months: 1, os: 'debian_13' }, data: { ...SERVER_EXAMPLE, title: 'Faraday' } },
});

const placeOrder = defineEndpoint({
  method: 'POST',
  path: '/v1/orders',
  tool: 'place_order',
  title: 'Place an order',
  description:
    'Buys exactly what an offer describes, at its price. Costs money: account credit pays first, the rest is charged to the default payment of the account. Support grants how much a ' +
    'key may order in a calendar month, and the owner can lower that; the owner is told of every order by mail. It is delivered once it is paid: ask get_order, for which the key needs the scope billing.',
  message: 'The order is placed.',
  status: 202,
  scope: 'plans',
  input: z.object({
    offer: z.string().max(16_384).describe('The `offer` of a price.'),
    idempotency_key: z
      .string()
      .min(KEY_LENGTH.least)
      .max(KEY_LENGTH.most)
      .describe('Of your own choice. The same order with the same key within a day is placed once, and answered alike.'),
  }),
  restNames: { idempotency_key: 'Idempotency-Key' },
  headers: ['idempotency_key'],
  refusals: { offer: { code: 'offer_invalid' } },
  codes: [
    'action_not_allowed',
    'billing_country_required',
    'hold_too_large',
    'idempotency_conflict',
    'idempotency_in_flight',
    'key_ceiling_reached',
    'offer_expired',
    'offer_ordered',
    'offer_tax_changed',
    'order_refused',
    'out_of_stock',
  ],
  output: z.object({ order: ORDER }),
  outputName: 'OrderState',
  named: { order: 'Order' },
  readOnly: false,
  operation: /* GraphQL */ `
    mutation PlaceOrder($offer: String!, $key: String!) {
      keyOrderPlace(offer: $offer, idempotencyKey: $key) {
        ${ORDER_FIELDS}
      }
    }
  `,
  variables: ({ offer, idempotency_key: key }) => ({ offer, key }),
  data: ({ keyOrderPlace }: { keyOrderPlace: OrderResult }) => ({ order: toOrder(keyOrderPlace) }),
  example: {
    input: { offer: EXAMPLE_OFFER.offer, idempotency_key: '8e03978e-40d5-43dd-bc93-6894a57f9324' },
    data: { order: EXAMPLE_ORDER },
  },
});

const getOrder = defineEndpoint({
  path: '/v1/orders/{order_id}',
  tool: 'get_order',
  title: 'Get an order',
  description: 'Whether an order of the account is paid and delivered, and what came of it.',
  message: 'Order read.',
  scope: 'billing',
  input: z.object({ order: z.string().describe('The order_id.') }),
  restNames: { order: 'order_id' },
  refusals: { order: { code: 'order_not_found' } },
  codes: [],
  output: z.object({ order: ORDER }),
  outputName: 'OrderState',
  named: { order: 'Order' },
  readOnly: true,
  operation: /* GraphQL */ `
    query GetOrder($id: ID!) {
      order(id: $id) {
        ${ORDER_FIELDS}
      }
    }
  `,
  variables: ({ order }) => ({ id: toId(order) }),
  data({ order }: { order: OrderResult | null }) {
    if (!order) throw fail('order_not_found', { field: 'order' });
    return { order: toOrder(order) };
  },
  example: { input: { order: EXAMPLE_ORDER.order_id }, data: { order: EXAMPLE_ORDER } },
});

interface Allowance {
  keyOrders: { granted: { amountMinor: number; currency: string }; ceiling: { amountMinor: number }; spent: { amountMinor: number } };
}

const getOrderAllowance = defineEndpoint({
  path: '/v1/order-allowance',
  tool: 'get_order_allowance',
  title: 'Get what the key may order',
  description: 'How much this API key may order in a calendar month of UTC, and how much of that it has ordered in this one.',
  message: 'Allowance read.',
  scope: 'plans',
  input: z.object({}),
  restNames: {},
  refusals: {},
  codes: [],
  output: z.object({
    granted: z.int().describe('The most that support lets the key order in a month, with tax, in minor units (cents).'),
    ceiling: z.int().describe('What of that the owner leaves to it; 0: it may not order.'),
    spent: z.int().describe('In this month.'),
    currency: z.string(),
  }),
  readOnly: true,
  operation: /* GraphQL */ `
    query GetOrderAllowance {
      keyOrders {
        granted {
          amountMinor
          currency
        }
        ceiling {
          amountMinor
        }
        spent {
          amountMinor
        }
      }
    }
  `,
  variables: () => ({}),
  data: ({ keyOrders: { granted, ceiling, spent } }: Allowance) => ({
    granted: granted.amountMinor,
    ceiling: ceiling.amountMinor,
    spent: spent.amountMinor,
    currency: granted.currency,
  }),
  example: { input: {}, data: { granted: 50_000, ceiling: 25_000, spent: 2_500, currency: 'USD' } },
});

export const ORDER_ENDPOINTS: readonly AnyEndpoint[] = [
  offerResidential,
  offerStatic,
  offerVps,
  offerDedicated,
  placeOrder,
  getOrder,
  getOrderAllowance,
];
