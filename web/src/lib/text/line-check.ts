// The common texts and those of the check of a proxy line.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/line-check.ts'), de: () => import('./de/line-check.ts') });
