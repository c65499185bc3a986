// A volume as somebody types it, and what the API says against one.
import { type Failure, messageFor } from '#lib/failure.ts';

/** Undefined: it is no whole number. */
export const wholeOf = (text: string): number | undefined => (/^\d{1,7}$/.test(text.trim()) ? Number(text) : undefined);

/** What stands under the field; undefined: the failure is about something else. */
export const volumeErrorOf = (failure: Failure | undefined): string | undefined =>
  failure && (messageFor(failure, 'gigabytes') ?? (failure.code === 'quantity_invalid' ? failure.message : undefined));
