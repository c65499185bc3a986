// JSON files that the operator writes: prices and names, exits, rules.
import { readFileSync } from 'node:fs';
import { StartFailure } from './start-failure.ts';

/** Parses the file and returns what `judge` makes of its content. Throws a StartFailure when the file is missing, is no JSON, or `judge` throws. */
export function readOperatorFile<Result>(file: string, judge: (content: unknown) => Result): Result {
  try {
    return judge(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new StartFailure(`The file ${file} cannot be used. ${(error as Error).message}`, { cause: error });
  }
}
