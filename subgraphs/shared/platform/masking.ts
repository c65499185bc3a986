// What a caller may see of an error: decided here for every subgraph, in process and over HTTP.
import { type ExecutionResult, GraphQLError } from 'graphql';
import { type Failure, fail, toExtensions, toFailure } from './errors.ts';
import type { Log } from './log.ts';
import { isOutage, notifyOutage } from './outage.ts';

export interface MaskContext {
  requestId: string;
  log: Log;
}

/**
 * Replaces every error by its public form, `{ message, path, extensions { code requestId ... } }`. A Failure keeps its sentence; a value that does not fit its
 * type is the caller's mistake (`parameter_invalid`); a database that cannot be reached is `overloaded`; everything else is a bug: logged here, once, and
 * answered as `internal`.
 */
export function maskErrors<Result extends Pick<ExecutionResult, 'errors'>>(result: Result, context: MaskContext): Result {
  if (!result.errors?.length) return result;
  return { ...result, errors: result.errors.map((error) => maskError(error, context)) };
}

/** The public form of one error. */
function maskError(error: GraphQLError, { requestId, log }: MaskContext): GraphQLError {
  const cause = causeOf(error);
  const said = toCallersMistake(error, cause) ?? toFailure(cause);
  if (said.code === 'internal') log.error({ requestId, path: error.path, err: cause }, 'a resolver failed');
  else if (isOutage(cause)) notifyOutage(log, cause, { requestId });
  return new GraphQLError(said.message, { path: error.path ?? null, extensions: toExtensions(said, requestId) });
}

/** Anything thrown, as a GraphQLError that keeps its cause, to be masked. */
export function toGraphQLError(thrown: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown;
  const cause = thrown instanceof Error ? thrown : new Error(`not an Error was thrown: ${String(thrown)}`);
  return new GraphQLError(cause.message, { originalError: cause });
}

/** graphql-js wraps what a resolver or a scalar threw; for a scalar even twice. */
function causeOf(error: Error): Error {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** graphql-js has no error class for a value that its scalar refused: its messages, of variables and of literals, begin like this. */
const COERCION = /^(Variable "\$|Argument "|Expected value of type ")/;

const toCallersMistake = (error: GraphQLError, cause: Error): Failure | undefined =>
  COERCION.test(error.message) && (cause instanceof GraphQLError || cause instanceof TypeError || cause instanceof RangeError)
    ? fail('parameter_invalid', {}, error.message)
    : undefined;
