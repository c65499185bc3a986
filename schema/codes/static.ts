import type { ErrorTerms } from './terms.ts';

export const STATIC_ERRORS = {
  product_type_unknown: { status: 400, message: 'The product type must be isp or dc.' },
  replacement_expired: { status: 409, message: 'What was prepared is not held any more: prepare it again.' },
  replacements_used_up: { status: 409, message: 'The exchanges of this month are used up.' },
  static_plan_suspended: { status: 402, message: 'The plan of this line is suspended until its renewal is paid.' },
} as const satisfies ErrorTerms;
