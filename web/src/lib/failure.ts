// A failure in the one form that all pages show: the API's code and public sentence, and what helps to continue.
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
  /** The order that was already made of the offer. */
  orderId?: string | undefined;
}

/** Codes after which only signing in again helps. */
const signedOutCodes = new Set(['session_invalid', 'key_missing']);

/** The first error of a GraphQL answer, or `network` when no answer came. */
export function toFailure(error: CombinedError): Failure {
  const first = error.graphQLErrors[0];
  if (!first) return { code: 'network', message: t.errors.network };
  const { code, requestId, field, allowed, retryAfterSeconds, orderId } = first.extensions as Record<string, unknown>;
  const known = typeof code === 'string' ? code : 'internal';
  return {
    code: known,
    // The API's own message is used until the sentences are loaded, and for codes that are newer than this page.
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

/** The message to show at one input, if the failure is about that input. */
export const messageFor = (failure: Failure | undefined, field: string) =>
  failure?.field?.split('.').at(-1) === field ? failure.message : undefined;
