// The configuration for orders that a person has to review.
import { configPart } from '#platform/config.ts';
import { count } from '#platform/config-values.ts';

/** Spec is silent. Stock is held for a month at most. */
const HOLD_HOURS = { usual: 72, max: 720 };

export const riskConfiguration = configPart(
  {
    REVIEW_HOLD_HOURS: [
      count(1).default(HOLD_HOURS.usual),
      'hours that stock stays held for an order that a rule of the desk holds; one that is released later takes what is free then',
    ],
  },
  {
    refusals: ({ REVIEW_HOLD_HOURS: hours }) => (hours <= HOLD_HOURS.max ? [] : [`REVIEW_HOLD_HOURS must be at most ${HOLD_HOURS.max}`]),
  },
);
