// The common texts and those of the pages for static addresses.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/static-plans.ts'), de: () => import('./de/static-plans.ts') });
