// Runs one operation by our executor, as an object and as text, and by the library's own.
import { type ExecutionResult } from 'graphql';
import { expect } from 'vitest';
import { type Gateway, QueryRefused, WrittenAnswer } from '../../../../gateway/graph/gateway.ts';
import { customer } from '../../world.ts';
import { VARIABLES } from './random-operations.ts';

/** Plain JSON without prototypes. */
const plain = (data: unknown): unknown => JSON.parse(JSON.stringify(data ?? null));

type Errors = readonly { path?: readonly (string | number)[] | undefined; extensions: Record<string, unknown> }[];

/** Codes and paths without list positions, each once: the library does not record the positions in lists of several types. */
const summary = (errors: Errors | undefined) =>
  new Set(
    errors?.map(
      ({ path, extensions }) =>
        `${String(extensions['code'])} at ${path?.filter((element) => typeof element === 'string').join('.') ?? 'nowhere'}`,
    ),
  );

/** Fails unless all give the same; false when the operation is refused. */
export async function compareExecutors(ours: Gateway, theirs: Gateway, query: string): Promise<boolean> {
  const call = { variables: VARIABLES, viewer: customer('a') };
  const run = async <Answer>(gateway: Gateway, how: (operation: ReturnType<Gateway['prepare']>) => Promise<Answer>) => {
    try {
      return await how(gateway.prepare(query));
    } catch (error) {
      if (error instanceof QueryRefused) return undefined;
      throw error;
    }
  };
  const [mine, written, reference] = await Promise.all([
    run(ours, (operation) => ours.execute(operation, call)),
    run(ours, (operation) => ours.write(operation, call)),
    run(theirs, (operation) => theirs.execute(operation, call)),
  ]);
  if (!mine || !reference || !written) return false;
  expect(plain(mine.data)).toEqual(plain(reference.data));
  // The library continues in a list whose null has already been propagated to the parent field, so it can have more of them.
  const theirErrors = summary(reference.errors);
  expect([...summary(mine.errors)].filter((error) => !theirErrors.has(error))).toEqual([]);
  expect(mine.errors === undefined).toBe(reference.errors === undefined);
  expectSame(written, mine);
  return true;
}

/** The text has the same bytes as the object; an answer with errors is an object. */
export function expectSame(written: WrittenAnswer | ExecutionResult, result: ExecutionResult): void {
  expect(written instanceof WrittenAnswer).toBe(!result.errors);
  if (written instanceof WrittenAnswer) expect(written.text).toBe(JSON.stringify(result));
  else expect(plain(written)).toEqual(plain(result));
}
