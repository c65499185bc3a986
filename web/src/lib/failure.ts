// What went wrong, in the one shape that every page shows: the API's code, its public sentence, and what helps to go on.
import type { CombinedError } from '@urql/core';
import { t } from './text/index.ts';

export interface Failure {
  code: string;
  message: string;
  requestId?: string | undefined;
  /** The input the failure belongs to, for example `quantity`. */
  field?: string | undefined;
  allowed?: readonly string[] | undefined;
  /** Why, where the sentence alone is general. */
  reason?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** The order that has it already. */
  orderId?: string | undefined;
}

/** The API's codes after which only a new log-in helps. */
const signedOutCodes = new Set(['session_invalid', 'key_missing']);

/** The first error of a GraphQL answer, or the lost connection that kept it from coming. */
export function toFailure(error: CombinedError): Failure {
  const first = error.graphQLErrors[0];
  if (!first) return { code: 'network', message: t.errors.network };
  const { code, requestId, field, allowed, reason, retryAfterSeconds, orderId } = first.extensions as Record<string, unknown>;
  const known = typeof code === 'string' ? code : 'internal';
  return {
    code: known,
    // The API says a reason in the place of the code's general sentence.
    message: t.errors.reasons[first.message] ?? t.errors.byCode[known] ?? first.message,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    field: typeof field === 'string' ? field : undefined,
    allowed: Array.isArray(allowed) ? allowed.map(String) : undefined,
    reason: typeof reason === 'string' ? reasonText(reason) : undefined,
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
    orderId: typeof orderId === 'string' ? orderId : undefined,
  };
}

export const isSignedOut = (failure: Failure) => signedOutCodes.has(failure.code);

/** Why something is not possible now, in the page's language where its dictionary has the API's sentence. */
export const reasonText = (reason: string): string => t.errors.reasons[reason] ?? reason;

/** The sentence to show at one input: only when the failure names it. */
export const messageFor = (failure: Failure | undefined, field: string) =>
  failure?.field?.split('.').at(-1) === field ? (failure.reason ?? failure.message) : undefined;
