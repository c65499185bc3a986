// The program's own text of a mail as an operator's template would say it: where somebody begins who writes it anew.
import type { MailText } from './mail-text.ts';
import type { MailFields, MailTemplate } from './mail-template.ts';

/**
 * The text with a placeholder for all that a template may say; of other data of the mail nothing is said. `write`: the mail of the program. `sample`: data for
 * such a mail.
 */
export function standardTemplate(write: (data: never) => MailText, { needed, known }: MailFields, sample: object): MailTemplate {
  const sayable = new Set([...needed, ...known]);
  const placeholders = Object.entries(sample).map(([name, value]) => {
    if (!sayable.has(name)) return [name, null];
    return [name, Array.isArray(value) ? [`{${name}}`] : `{${name}}`];
  });
  const { subject, text } = write({ ...Object.fromEntries(placeholders), brand: '{brand}' } as never);
  // Every mail ends with the brand, which is no part of a template.
  const body = text.trim().split('\n\n').slice(0, -1).join('\n\n');
  return { subject, body: body.replace(':\n{url}', ': {url}') };
}
