// Top-ups and alerts of a plan in REST and MCP: their form in answers (snake_case, GB).
import { z } from 'zod';
import { toGb } from '#platform/data-size.ts';
import { EXAMPLE_PLAN } from './proxy-user.ts';

interface AutoResult {
  enabled: boolean;
  off: string | null;
  leftBytes: string;
  gigabytes: number;
  ceiling: { amountMinor: number; currency: string };
  spent: { amountMinor: number };
  pauseMinutes: number;
  isBuying: boolean;
  nextAt: string | null;
}

/** The fields of TOP_UP_FIELDS, as the graph answers them. */
export interface TopUpResult {
  id: string;
  totalBytes: string;
  validUntil: string | null;
  autoTopUp: AutoResult | null;
  alerts: { isDefault: boolean; percents: number[]; leftBytes: string[] };
  topUps: { orderId: string; bytes: string; createdAt: string; takenBackAt: string | null }[];
}

export const TOP_UP_FIELDS = /* GraphQL */ `
  id
  totalBytes
  validUntil
  autoTopUp {
    enabled
    off
    leftBytes
    gigabytes
    ceiling {
      amountMinor
      currency
    }
    spent {
      amountMinor
    }
    pauseMinutes
    isBuying
    nextAt
  }
  alerts {
    isDefault
    percents
    leftBytes
  }
  topUps {
    orderId
    bytes
    createdAt
    takenBackAt
  }
`;

const minor = (description: string) => z.int().min(0).describe(`${description} With tax, in minor units (cents).`);

export const TOP_UPS = z.object({
  product: z.string().describe('The product_id of the plan.'),
  total_gb: z.number().describe('All that was bought for it.'),
  /** Told once, in what `list_top_ups` says of itself. */
  valid_until: z.string().nullable(),
  auto_top_up: z
    .object({
      enabled: z.boolean(),
      stopped: z
        .enum(['declined', 'confirmation_needed', 'no_means', 'not_sold', 'country_needed'])
        .nullable()
        .describe('Why it was switched off by itself.'),
      left_gb: z.number().describe('With less than this left, gigabytes are bought.'),
      gigabytes: z.int(),
      ceiling: minor('The most of a calendar month of UTC.'),
      spent: minor('In this month, with what is being bought.'),
      currency: z.string(),
      pause_minutes: z.int().describe('At least so long between two orders.'),
      is_buying: z.boolean(),
      next_at: z.string().nullable().describe('Nothing is bought before.'),
    })
    .nullable()
    .describe('Null: never set.'),
  alerts: z
    .object({
      default: z.boolean().describe('true: those that everybody has.'),
      percents: z.array(z.int()).describe('Of what was bought; 100 is always among them.'),
      left_gb: z.array(z.number()),
    })
    .describe('At which marks the owner is told, by mail and webhook.'),
  top_ups: z.array(
    z.object({
      order_id: z.string(),
      gb: z.number(),
      created_at: z.string(),
      taken_back_at: z.string().nullable().describe('When the order was given back.'),
    }),
  ),
});

export const toTopUps = ({ id, totalBytes, validUntil, autoTopUp, alerts, topUps }: TopUpResult) => ({
  product: id,
  total_gb: toGb(BigInt(totalBytes)),
  valid_until: validUntil,
  auto_top_up: autoTopUp && {
    enabled: autoTopUp.enabled,
    stopped: autoTopUp.off?.toLowerCase() ?? null,
    left_gb: toGb(BigInt(autoTopUp.leftBytes)),
    gigabytes: autoTopUp.gigabytes,
    ceiling: autoTopUp.ceiling.amountMinor,
    spent: autoTopUp.spent.amountMinor,
    currency: autoTopUp.ceiling.currency,
    pause_minutes: autoTopUp.pauseMinutes,
    is_buying: autoTopUp.isBuying,
    next_at: autoTopUp.nextAt,
  },
  alerts: { default: alerts.isDefault, percents: alerts.percents, left_gb: alerts.leftBytes.map((bytes) => toGb(BigInt(bytes))) },
  top_ups: topUps.map(({ orderId, bytes, createdAt, takenBackAt }) => ({
    order_id: orderId,
    gb: toGb(BigInt(bytes)),
    created_at: createdAt,
    taken_back_at: takenBackAt,
  })),
});

export const EXAMPLE_TOP_UPS = {
  product: EXAMPLE_PLAN,
  total_gb: 10,
  valid_until: '2026-02-14T10:00:00.000Z',
  auto_top_up: {
    enabled: true,
    stopped: null,
    left_gb: 1,
    gigabytes: 5,
    ceiling: 10_000,
    spent: 2_500,
    currency: 'USD',
    pause_minutes: 60,
    is_buying: false,
    next_at: null,
  },
  alerts: { default: false, percents: [50, 90, 100], left_gb: [0.5] },
  top_ups: [{ order_id: 'ord_01jd8x4m2c7n5q9r3t6v8w0y1z', gb: 5, created_at: '2026-01-15T10:00:00.000Z', taken_back_at: null }],
};
