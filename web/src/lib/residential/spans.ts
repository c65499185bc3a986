// Time spans that end now.
export const spans = ['24h', '7d', '30d', '90d'] as const;
export type Span = (typeof spans)[number];

const HOUR = 3_600_000;
const lengths: Record<Span, number> = { '24h': 24 * HOUR, '7d': 7 * 24 * HOUR, '30d': 30 * 24 * HOUR, '90d': 90 * 24 * HOUR };

/** The first and last instant of the span that ends at `now`, which is in milliseconds since 1970. */
export const spanUntil = (span: Span, now: number): { from: string; to: string } => ({
  from: new Date(now - lengths[span]).toISOString(),
  to: new Date(now).toISOString(),
});
