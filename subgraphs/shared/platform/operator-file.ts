// JSON files that the operator writes: prices and names, exits, rules.
import { readFileSync } from 'node:fs';
import type { Config } from './config.ts';
import { StartFailure } from './start-failure.ts';

/** What `judge` makes of a file. Throws a StartFailure when the file is missing, is no JSON, or is refused with an Error. */
export function readOperatorFile<Result>(file: string, judge: (content: unknown) => Result): Result {
  try {
    return judge(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new StartFailure(`The file ${file} cannot be used. ${(error as Error).message}`, { cause: error });
  }
}

/** What `judge` makes of the file that CATALOGUE_FILE names, or of `{}` without one. Throws as `readOperatorFile`. */
export const readCatalogue = <Part>({ CATALOGUE_FILE: file }: Pick<Config, 'CATALOGUE_FILE'>, judge: (catalogue: unknown) => Part): Part =>
  file === undefined ? judge({}) : readOperatorFile(file, judge);
