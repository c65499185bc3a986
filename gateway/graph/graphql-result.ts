// What the result of an operation is in HTTP, and how an operation that did not run is told as one.
import type { ExecutionResult } from 'graphql';
import { failureOf } from '#platform/ask.ts';
import { fail, isErrorCode, toExtensions, toFailure } from '#platform/errors.ts';
import { retryAfter } from '#platform/respond.ts';
import { QueryRefused } from './planning/query-refused.ts';

export const statusOf = (result: ExecutionResult): number => {
  const code = result.errors?.[0]?.extensions?.['code'];
  return isErrorCode(code) ? fail(code).status : 400;
};

/** Whether nothing could be answered because a part of the platform is away. The status must then say so, since proxies between us and the client read only the status. */
export const isAway = ({ data, errors }: ExecutionResult): boolean =>
  errors?.every(({ extensions }) => extensions['code'] === 'overloaded') === true &&
  Object.values(data ?? {}).every((value) => value === null);

/** `Retry-After` when the first error of the result says when to retry. */
export function waitOf(result: ExecutionResult): Record<string, string> {
  const failure = failureOf(result);
  return failure ? retryAfter(failure) : {};
}

/** The result of an operation that did not run: each reason, with its place in the document. */
export function refusal(error: unknown, requestId: string): ExecutionResult {
  const failure = toFailure(error);
  const extensions = toExtensions(failure, requestId);
  const reasons = error instanceof QueryRefused ? error.errors : [failure];
  return {
    errors: reasons.map((reason) => ({
      message: reason.message,
      ...('locations' in reason && { locations: reason.locations }),
      extensions,
    })) as never,
  };
}
