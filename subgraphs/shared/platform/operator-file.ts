// JSON files that the operator writes: prices and names, exits, rules.
import { readFileSync } from 'node:fs';
import { StartFailure } from './start-failure.ts';

/** What `judge` makes of a file. Throws a StartFailure when the file is missing, is no JSON, or is refused with an Error. */
export function readOperatorFile<Result>(file: string, judge: (content: unknown) => Result): Result {
  try {
    return judge(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new StartFailure(`The file ${file} cannot be used. ${(error as Error).message}`, { cause: error });
  }
}
