// The reason that a member of staff gives for an action. The customer reads it.
import { because, fail } from '#platform/errors.ts';

export const MAX_REASON_LENGTH = 200;

/** The reason, trimmed. Errors: parameter_invalid. */
export function checkReason(reason: string): string {
  const text = reason.trim();
  if (text === '' || text.length > MAX_REASON_LENGTH)
    throw fail('parameter_invalid', { field: 'reason', reason: because('note_length', { max: MAX_REASON_LENGTH }) });
  return text;
}
