// Texts that staff write in the languages of the pages.
import { because, fail } from '#platform/errors.ts';
import type { Language } from '#platform/language.ts';

/** A text in the languages of the pages; where one is missing, the English text is shown. */
export type LocalText = { en: string } & { [Other in Exclude<Language, 'en'>]?: string };

export type GivenText = { en: string } & { [Other in Exclude<Language, 'en'>]?: string | null | undefined };

/** The texts trimmed, without languages whose text is empty. Errors: parameter_invalid. */
export function toLocalText(field: string, max: number, given: GivenText): LocalText {
  const texts = Object.entries(given).map(([language, text]) => [language, (text ?? '').trim()] as const);
  for (const [language, text] of texts)
    if (text.length > max || (text === '' && language === 'en'))
      throw fail('parameter_invalid', { field, reason: because('line_length', { max }) });
  return Object.fromEntries(texts.filter(([, text]) => text !== '')) as LocalText;
}
