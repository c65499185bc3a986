// Offers and orders in REST and MCP: their form in answers.
import { z } from 'zod';

interface AmountResult {
  amountMinor: number;
  currency: string;
}

/** The fields of OFFER_FIELDS, as the graph answers them. */
export interface OfferResult {
  token: string;
  title: string;
  subtotal: AmountResult;
  tax: AmountResult;
  total: AmountResult;
  validDays: number | null;
  renewal: { months: number; total: AmountResult } | null;
  expiresAt: string;
}

export const OFFER_FIELDS = /* GraphQL */ `
  token
  title
  subtotal {
    amountMinor
    currency
  }
  tax {
    amountMinor
  }
  total {
    amountMinor
  }
  validDays
  renewal {
    months
    total {
      amountMinor
    }
  }
  expiresAt
`;

const EXAMPLE_TOKEN = 'eyJpZCI6Im9mZl8wMWpkOHg0bTJjN241cTlyM3Q2djh3MHkxeiJ9.c2lnbmF0dXJl';

export const OFFER = z.object({
  offer: z.string().describe('Signed: to be ordered as it is, once, until valid_until.'),
  title: z.string(),
  subtotal: z.int().describe('Before tax, in minor units (cents), as all amounts.'),
  tax: z.int(),
  total: z.int(),
  currency: z.string(),
  renews_for: z.int().nullable().describe('What each later period costs, with tax; null: it does not renew.'),
  renews_every_months: z.int().nullable(),
  valid_days: z.int().nullable().describe('How many days what is bought is valid, from its delivery; null: for ever.'),
  valid_until: z.string().describe('Of the offer.'),
});

export const toOffer = ({ token, title, subtotal, tax, total, validDays, renewal, expiresAt }: OfferResult) => ({
  offer: token,
  title,
  subtotal: subtotal.amountMinor,
  tax: tax.amountMinor,
  total: total.amountMinor,
  currency: subtotal.currency,
  renews_for: renewal?.total.amountMinor ?? null,
  renews_every_months: renewal?.months ?? null,
  valid_days: validDays,
  valid_until: expiresAt,
});

export const EXAMPLE_OFFER = {
  offer: EXAMPLE_TOKEN,
  title: 'Premium, 5 GB',
  subtotal: 2_500,
  tax: 0,
  total: 2_500,
  currency: 'USD',
  renews_for: null,
  renews_every_months: null,
  valid_days: null,
  valid_until: '2026-01-15T12:15:00.000Z',
};

/** The fields of ORDER_FIELDS, as the graph answers them. */
export interface OrderResult {
  id: string;
  status: string;
  title: string;
  credit: AmountResult;
  total: AmountResult;
  placedAt: string;
  paidAt: string | null;
  fulfilledAt: string | null;
  resourceId: string | null;
}

export const ORDER_FIELDS = /* GraphQL */ `
  id
  status
  title
  credit {
    amountMinor
    currency
  }
  total {
    amountMinor
  }
  placedAt
  paidAt
  fulfilledAt
  resourceId
`;

export const ORDER = z.object({
  order_id: z.string(),
  status: z.string().describe('pending until it is paid, then paid, fulfilled; or cancelled, expired, refunded.'),
  title: z.string(),
  by_credit: z.int().describe('What account credit pays, with tax, in minor units (cents).'),
  charged: z.int().describe('What the default payment pays.'),
  currency: z.string(),
  placed_at: z.string(),
  paid_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  resource_id: z.string().nullable().describe('What was delivered: a plan or a server.'),
});

export const toOrder = ({ id, status, title, credit, total, placedAt, paidAt, fulfilledAt, resourceId }: OrderResult) => ({
  order_id: id,
  status: status.toLowerCase(),
  title,
  by_credit: credit.amountMinor,
  charged: total.amountMinor,
  currency: credit.currency,
  placed_at: placedAt,
  paid_at: paidAt,
  delivered_at: fulfilledAt,
  resource_id: resourceId,
});

export const EXAMPLE_ORDER = {
  order_id: 'ord_01jd8x4m2c7n5q9r3t6v8w0y1z',
  status: 'paid',
  title: 'Premium, 5 GB',
  by_credit: 2_500,
  charged: 0,
  currency: 'USD',
  placed_at: '2026-01-15T12:00:00.000Z',
  paid_at: '2026-01-15T12:00:00.000Z',
  delivered_at: null,
  resource_id: null,
};
