import { dateLocale } from '#lib/text/language.ts';

const format = new Intl.ListFormat(dateLocale, { type: 'conjunction' });

/** "80, 95 and 100". */
export const formatList = (items: readonly string[]): string => format.format(items);
