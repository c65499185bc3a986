// One endpoint of the API: its path, its input, its function.
import type { Books, Cause } from './books.ts';
import type { Rule } from './shape.ts';

export interface Call<Input> {
  books: Books;
  input: Input;
  /** The parts of the path that are written as `:name`. */
  ids: Record<string, string>;
  cause: Cause;
}

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** `/v1/customers/:id` */
  path: string;
  input: Rule<object>;
  run(call: Call<object>): object;
}

/** A route whose `run` has its input's type. */
export function route<Input extends object>(
  method: Route['method'],
  path: string,
  input: Rule<Input>,
  run: (call: Call<Input>) => object,
): Route {
  return { method, path, input, run: (call) => run(call as Call<Input>) };
}

/** The values of the path's `:names` when `path` matches, otherwise null. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const ids: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) ids[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return ids;
}
