// The common texts and those of the public pages.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/pages.ts'), de: () => import('./de/pages.ts') });
