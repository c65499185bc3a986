import { IDEMPOTENCY_KEY_LENGTH } from '../../../schema/limits.ts';
import { because, fail } from './errors.ts';

/** Throws `parameter_invalid` for a key of another length than callers may choose. */
export function checkIdempotencyKey({ length }: string): void {
  const { least, most } = IDEMPOTENCY_KEY_LENGTH;
  if (length < least || length > most)
    throw fail('parameter_invalid', { field: 'idempotencyKey', reason: because('idempotency_key_length') });
}
