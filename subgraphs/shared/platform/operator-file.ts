// JSON files that the operator writes: prices and names, exits, rules.
import { readFileSync } from 'node:fs';
import { type JsonPlaces, placesIn } from './json-places.ts';
import { StartFailure } from './start-failure.ts';

/**
 * Parses the file and returns what `judge` makes of its content; `places` says where in the file a value is. Throws a StartFailure when the file is missing, is
 * no JSON, or `judge` throws.
 */
export function readOperatorFile<Result>(file: string, judge: (content: unknown, places: () => JsonPlaces) => Result): Result {
  try {
    const text = readFileSync(file, 'utf8');
    return judge(JSON.parse(text), () => placesIn(text));
  } catch (error) {
    throw new StartFailure(`The file ${file} cannot be used. ${(error as Error).message}`, { cause: error });
  }
}
