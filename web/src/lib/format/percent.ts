import { numberLocale } from '#lib/text/language.ts';

const format = new Intl.NumberFormat(numberLocale, { style: 'percent', maximumFractionDigits: 2 });

/** Hundredths of a percent: 1900 -> "19%". */
export const formatPercent = (basisPoints: number): string => format.format(basisPoints / 10_000);
