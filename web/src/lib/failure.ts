// What went wrong, in the one shape that every page shows: the API's code, its public sentence, and what helps to go on.
import type { CombinedError } from '@urql/core';
import { t } from './text/index.ts';
import { type Refusable, codeText, reasonText } from './text/refusals.svelte.ts';

export interface Failure {
  code: string;
  message: string;
  requestId?: string | undefined;
  /** The input the failure belongs to, for example `quantity`. */
  field?: string | undefined;
  allowed?: readonly string[] | undefined;
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
  const { code, requestId, field, allowed, retryAfterSeconds, orderId } = first.extensions as Record<string, unknown>;
  const known = typeof code === 'string' ? code : 'internal';
  return {
    code: known,
    // What the API says itself stands until the sentences have come, and for what a release after this page's says.
    get message() {
      return reasonText(first.extensions as Refusable) ?? codeText(known) ?? first.message;
    },
    requestId: typeof requestId === 'string' ? requestId : undefined,
    field: typeof field === 'string' ? field : undefined,
    allowed: Array.isArray(allowed) ? allowed.map(String) : undefined,
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
    orderId: typeof orderId === 'string' ? orderId : undefined,
  };
}

export const isSignedOut = (failure: Failure) => signedOutCodes.has(failure.code);

/** The sentence to show at one input: only when the failure names it. */
export const messageFor = (failure: Failure | undefined, field: string) =>
  failure?.field?.split('.').at(-1) === field ? failure.message : undefined;
