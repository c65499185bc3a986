// A proxy line as the endpoints take it that look at one, and what is wrong with it by itself.
import { z } from 'zod';

/** What the endpoints have in common. */
export const ON_LINE = {
  method: 'POST',
  scope: 'generate',
  input: z.object({ line: z.string().min(1).max(2_000).describe('The line as it is used.') }),
  restNames: {},
  refusals: {},
  variables: ({ line }: { line: string }) => ({ line }),
} as const;

export interface LineProblem {
  code: string;
  message: string;
}

export const PROBLEMS = z.array(z.object({ code: z.string().describe('Lower case.'), message: z.string() }));

export const toProblems = (problems: readonly LineProblem[]): z.infer<typeof PROBLEMS> =>
  problems.map(({ code, message }) => ({ code: code.toLowerCase(), message }));

/** What may be unknown of a line. */
export const text = (description: string) => z.string().nullable().describe(description);

export const PLAN_OF_LINE = text('The product_id of the plan that it belongs to.');
