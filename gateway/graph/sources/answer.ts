// The JSON of a GraphQL answer, and its conversion to an ExecutionResult.
import { type ExecutionResult, GraphQLError } from 'graphql';

export interface Answer {
  data?: Record<string, unknown> | null;
  errors?: readonly { message: string; path?: readonly (string | number)[]; extensions?: Record<string, unknown> }[];
}

/** Throws a SyntaxError when the JSON is not a GraphQL answer. */
export function toResult({ data, errors }: Answer): ExecutionResult {
  if (data === undefined && !errors?.length) throw new SyntaxError('the answer has neither data nor errors');
  return {
    ...(data !== undefined && { data }),
    ...(errors?.length && {
      errors: errors.map(
        ({ message, path, extensions }) => new GraphQLError(message, { path: path ?? null, extensions: extensions ?? null }),
      ),
    }),
  };
}
