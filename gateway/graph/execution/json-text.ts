// JSON strings. Most texts need no escapes, and finding that out costs less than JSON.stringify.

/** Up to this length a loop over the characters is faster than a regular expression. */
const SHORT = 24;

/** What JSON escapes: controls, quotation mark, backslash; and surrogates, because half a pair is escaped. */
const ESCAPED = /[\u0000-\u001f"\\\ud800-\udfff]/; // oxlint-disable-line no-control-regex

/** The text as JSON, byte for byte as JSON.stringify writes it. */
export function quote(text: string): string {
  if (text.length > SHORT) return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit >= 0xd800 && unit <= 0xdfff)) return JSON.stringify(text);
  }
  return `"${text}"`;
}
