// A span of time whose use is read: `from` inclusive, `to` exclusive.
import { DAY, after } from '#platform/clock.ts';
import { type Reason, because, fail } from '#platform/errors.ts';

export interface UsageSpan {
  from: Date;
  to: Date;
}

const refuse = (field: string, reason: Reason) => fail('parameter_invalid', { field, reason });

/** Without `from` the span begins at 1970, without `to` it ends a day after `asOf`, beyond every entry. Throws `parameter_invalid`. */
export function toSpan({ from, to }: { from?: Date | null | undefined; to?: Date | null | undefined }, asOf: Date): UsageSpan {
  // A network reports a moment before the plan was bought only by mistake, but such lines are counted: the sums must include them.
  const span = { from: from ?? new Date(0), to: to ?? after(asOf, DAY) };
  if (span.from >= span.to) throw refuse('from', because('usage_span_reversed'));
  return span;
}

const MAX_DAYS = 90;

/** The span of the same length just before. Throws `parameter_invalid` for a span of more than 90 days: the one before is beyond the ledger's retention. */
export function spanBefore({ from, to }: UsageSpan): UsageSpan {
  const length = to.getTime() - from.getTime();
  if (length > MAX_DAYS * DAY) throw refuse('from', because('usage_span_too_long', { max: MAX_DAYS }));
  return { from: after(from, -length), to: from };
}
