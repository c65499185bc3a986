// The beginning of every request, REST or MCP: who calls, what is left of the limit, and the headers that every answer carries.
import type { IncomingMessage } from 'node:http';
import { type Failure, fail, toFailure } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import type { Admission } from '../gateway/sign-in/access.ts';
import { type Call, originOf } from '#platform/route.ts';
import { type Rate, RATE_LIMIT, RATE_WINDOW_SECONDS, rateHeaders } from '../gateway/http/rate-limit.ts';
import { challengeOf, retryAfter } from '#platform/respond.ts';
import type { Graph } from './graph.ts';

/** What the headers say when nobody can say what is left: a request that was not counted. */
export const UNCOUNTED: Rate = { limit: RATE_LIMIT, remaining: RATE_LIMIT, resetSeconds: RATE_WINDOW_SECONDS };

/** Never rejects: a gateway that cannot be asked is an admission that failed as `internal`. */
export async function admit(graph: Graph, request: IncomingMessage, call: Call, log: Log): Promise<Admission> {
  try {
    const admission = await graph.admit(request.headers.authorization, originOf(call));
    if (admission.viewer) call.logFields.caller = admission.viewer;
    return admission.viewer || admission.failure ? admission : { ...admission, failure: fail('key_missing') };
  } catch (error) {
    log.error({ requestId: call.requestId, err: error }, 'a request could not be admitted');
    return { failure: toFailure(error), rate: UNCOUNTED };
  }
}

/** Rate headers, request id, no caching, and what a 401 or a 429 must say besides. */
export function answerHeaders(rate: Rate, requestId: string, failure?: Failure): Record<string, string> {
  const headers: Record<string, string> = { ...rateHeaders(rate), 'X-Request-Id': requestId, 'Cache-Control': 'no-store' };
  if (failure?.status === 429) headers['Retry-After'] = String(rate.resetSeconds);
  return failure ? { ...headers, ...challengeOf(failure), ...retryAfter(failure) } : headers;
}
