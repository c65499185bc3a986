import type { GraphQLError } from 'graphql';
import { type ErrorCode, Failure } from '#platform/errors.ts';

/** The operation is not valid on this graph, or asks for too much; nothing ran. `errors` are the reasons, with locations; they may be shown to the caller. */
export class QueryRefused extends Failure {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[], code: ErrorCode = 'query_refused') {
    super(code, {}, errors[0]?.message);
    this.errors = errors;
  }
}
