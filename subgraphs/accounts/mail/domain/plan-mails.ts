// Mails about bandwidth packages.
import { write } from './mail-text.ts';

/** kind -> what it needs -> what it says. */
export const PLAN_MAILS = {
  balance_low: ({ brand, title, percent, url }: { brand: string; title: string; percent: number; url: string }) =>
    write({
      subject: percent === 100 ? `Used up: ${title}` : `${percent} % used: ${title}`,
      paragraphs:
        percent === 100
          ? [
              `Your package ${title} is used up, and its proxies have stopped.`,
              'Buy a new package to go on; it comes with new credentials.',
            ]
          : [
              `${percent} % of your package ${title} is used. Its proxies stop when nothing is left.`,
              'Buy a new package in time to go on without a gap.',
            ],
      link: { label: 'See my plans', url },
      closing: brand,
    }),
};
