import type { ErrorTerms, ReasonTerms } from './terms.ts';

export const ABUSE_ERRORS = {
  abuse_case_not_found: { status: 404, message: 'There is no such abuse case.' },
} as const satisfies ErrorTerms;

export const ABUSE_REASONS = {
  abuse_answer_days: 'The customer has 1 to {max} days to answer.',
  abuse_case_closed: 'This case is closed: open it again first.',
  abuse_case_not_closed: 'This case is not closed.',
  abuse_place_and_time: 'An address goes with the time at which it was used.',
} as const satisfies ReasonTerms;
