// What a member of staff says about an act, in words that the customer reads.
import { because, fail } from '#platform/errors.ts';

export const MAX_REASON_LENGTH = 200;

/** The reason of an act of support, trimmed. Errors: parameter_invalid. */
export function checkReason(reason: string): string {
  const text = reason.trim();
  if (text === '' || text.length > MAX_REASON_LENGTH)
    throw fail('parameter_invalid', { field: 'reason', reason: because('note_length', { max: MAX_REASON_LENGTH }) });
  return text;
}
