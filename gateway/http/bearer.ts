import { type Failure, fail } from '#platform/errors.ts';

/** Far above every key that was ever issued; what is longer is neither parsed nor looked up nor cached. */
const HEADER_CHARACTERS = 256;

/** The key of `Authorization: Bearer <API_KEY>`: one key, nothing else; or the failure to answer with. Spec, Authentication. */
export function bearerKey(authorization: string | undefined): string | Failure {
  if (authorization === undefined) return fail('key_missing');
  if (authorization.length > HEADER_CHARACTERS) return fail('key_malformed');
  const [scheme, key, ...rest] = authorization.trim().split(/\s+/);
  if (scheme?.toLowerCase() !== 'bearer' || key === undefined) return fail('key_missing');
  // Node joins repeated Authorization headers by dropping the later ones; two keys in one header are refused here.
  if (rest.length || key.includes(',')) return fail('key_malformed');
  return key;
}
