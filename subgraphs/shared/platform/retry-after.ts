// Retry-After, as other people's servers answer it.
import { SECOND } from './clock.ts';

const DAY_NAMES = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = String.raw`\d{2}:\d{2}:\d{2}`;
/** The three forms that recipients have to read (RFC 9110, 5.6.7); the last one does not name its zone, which is GMT as well. */
const HTTP_DATES = [
  String.raw`${DAY_NAMES}, \d{2} ${MONTH} \d{4} ${TIME} GMT`,
  String.raw`${DAY_NAMES}, \d{2}-${MONTH}-\d{2} ${TIME} GMT`,
  String.raw`${DAY_NAMES} ${MONTH} [ \d]\d ${TIME} \d{4}`,
].map((form) => new RegExp(`^${form}$`));

/**
 * For how long an answer asks its client to wait, in milliseconds from `now` on: whole seconds, or a date, which may be over. RFC 9110, 10.2.3. Undefined: it says
 * nothing that can be read.
 */
export function retryAfterMs(text: string | undefined, now: Date): number | undefined {
  const said = text?.trim() ?? '';
  if (/^\d{1,9}$/.test(said)) return Number(said) * SECOND;
  if (!HTTP_DATES.some((form) => form.test(said))) return undefined;
  const at = Date.parse(said.endsWith('GMT') ? said : `${said} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
