import type { ErrorTerms, ReasonTerms } from './terms.ts';

export const APPS_ERRORS = {
  app_not_found: { status: 404, message: 'There is no such app.' },
  too_many_apps: { status: 409, message: 'An account has at most fifty apps: remove one first.' },
} as const satisfies ErrorTerms;

export const APPS_REASONS = {
  app_scopes_unfit: 'An app gets at least one scope, and none that its key lacks.',
} as const satisfies ReasonTerms;
