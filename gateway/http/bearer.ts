import { type Failure, fail } from '#platform/errors.ts';

/** Far longer than any key that was ever issued; a longer header is neither parsed nor looked up nor cached. */
const HEADER_CHARACTERS = 256;

/** Reads the key from `Authorization: Bearer <API_KEY>`: exactly one key. Returns the failure to answer with for any other header. Spec, Authentication. */
export function bearerKey(authorization: string | undefined): string | Failure {
  if (authorization === undefined) return fail('key_missing');
  if (authorization.length > HEADER_CHARACTERS) return fail('key_malformed');
  const [scheme, key, ...rest] = authorization.trim().split(/\s+/);
  if (scheme?.toLowerCase() !== 'bearer' || key === undefined) return fail('key_missing');
  // Node drops repeated Authorization headers but the first; two keys in one header are refused here.
  if (rest.length || key.includes(',')) return fail('key_malformed');
  return key;
}
