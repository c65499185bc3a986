// The media type of a REST answer, chosen by the Accept header. RFC 9110, 12.5.1.
import { fail } from '#platform/errors.ts';

export type ErrorFormat = 'envelope' | 'problem';

const PROBLEM = 'application/problem+json';
const JSON_TYPES = /^(\*\/\*|application\/(\*|json))$/;

/** `problem` for a client that names the type of RFC 9457; `envelope` for every other client. */
export const errorFormatOf = (accept: string | undefined): ErrorFormat => (accept?.includes(PROBLEM) ? 'problem' : 'envelope');

/** Throws `not_acceptable` for a client that accepts none of the types in which the endpoint answers. */
export function requireAcceptable(accept: string | undefined, others: readonly string[] = []): void {
  if (accept === undefined || accept.trim() === '') return;
  const takes = accept
    .toLowerCase()
    .split(',')
    .some((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim());
      if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) return false;
      return (
        JSON_TYPES.test(type) ||
        type === PROBLEM ||
        others.includes(type) ||
        (others.some((one) => one.startsWith('text/')) && type === 'text/*')
      );
    });
  if (!takes) throw fail('not_acceptable', { allowed: ['application/json', ...others] });
}
