// The first step of every REST or MCP request: looks up the caller, counts the request, and makes the headers of the answer.
import type { IncomingMessage } from 'node:http';
import { type Failure, fail, toFailure } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import type { Admission } from '../gateway/sign-in/access.ts';
import { type Call, originOf } from '#platform/route.ts';
import { type Rate, RATE_LIMIT, RATE_WINDOW_SECONDS, rateHeaders } from '../gateway/http/rate-limit.ts';
import { challengeOf, retryAfter } from '#platform/respond.ts';
import type { Graph } from './graph.ts';

/** The values of the headers for a request that was not counted, so that the real ones are not known. */
export const UNCOUNTED: Rate = { limit: RATE_LIMIT, remaining: RATE_LIMIT, resetSeconds: RATE_WINDOW_SECONDS };

/** `accepts`: what beside keys is admitted. Never rejects: when the gateway cannot be asked, the admission has failed as `internal` or `overloaded`. */
export async function admit(
  graph: Graph,
  request: IncomingMessage,
  call: Call,
  log: Log,
  accepts?: Parameters<Graph['admit']>[2],
): Promise<Admission> {
  try {
    const admission = await graph.admit(request.headers.authorization, originOf(call), accepts);
    if (admission.viewer) call.logFields.caller = admission.viewer;
    return admission.viewer || admission.failure ? admission : { ...admission, failure: fail('key_missing') };
  } catch (error) {
    log.error({ requestId: call.requestId, err: error }, 'a request could not be admitted');
    return { failure: toFailure(error), rate: UNCOUNTED };
  }
}

/** Rate headers, request id and no caching; for a 401 and a 429 also the headers that these statuses require. `cost`: the budget of costs, where it is known. */
export function answerHeaders(rate: Rate, requestId: string, failure?: Failure, cost?: Rate): Record<string, string> {
  const headers: Record<string, string> = { ...rateHeaders(rate, cost), 'X-Request-Id': requestId, 'Cache-Control': 'no-store' };
  if (failure?.status === 429) headers['Retry-After'] = String(rate.resetSeconds);
  return failure ? { ...headers, ...challengeOf(failure), ...retryAfter(failure) } : headers;
}
