// A volume that the reader types, and the API's errors about it.
import { type Failure, messageFor } from '#lib/failure.ts';

/** Undefined when the text is not a whole number. */
export const wholeOf = (text: string): number | undefined => (/^\d{1,7}$/.test(text.trim()) ? Number(text) : undefined);

/** The error to show under the field; undefined when the failure is about something else. */
export const volumeErrorOf = (failure: Failure | undefined): string | undefined =>
  failure && (messageFor(failure, 'gigabytes') ?? (failure.code === 'quantity_invalid' ? failure.message : undefined));
