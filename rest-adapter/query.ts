import { fail } from '#platform/errors.ts';
import type { Input } from './input.ts';

/**
 * The known parameters of a query string by input name, each given at most once; unknown ones are listed in `unknown`.
 * Throws `parameter_repeated`, and `parameter_invalid` for text that is not percent-encoded UTF-8, which URLSearchParams would replace silently.
 */
export function readQuery(search: string, known: ReadonlyMap<string, string>): { raw: Input; unknown: string[] } {
  const raw: Input = {};
  const unknown: string[] = [];
  if (search.length < 2) return { raw, unknown };
  for (const pair of search.slice(1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1), name);
    const input = known.get(name);
    if (input === undefined) {
      unknown.push(name);
      continue;
    }
    if (Object.hasOwn(raw, input)) throw fail('parameter_repeated', { field: name }, `${name} was given more than once.`);
    raw[input] = value;
  }
  return { raw, unknown };
}

function decode(text: string, field?: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw fail(
      'parameter_invalid',
      field === undefined ? {} : { field: field.slice(0, 100) },
      'The query is not valid percent-encoded UTF-8.',
    );
  }
}
