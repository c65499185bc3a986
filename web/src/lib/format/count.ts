import { numberLocale } from '#lib/text/language.ts';

const plain = new Intl.NumberFormat(numberLocale);

export const formatCount = (value: number) => plain.format(value);
