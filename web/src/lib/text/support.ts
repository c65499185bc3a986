// The common texts and those of the support desk.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/support.ts'), de: () => import('./de/support.ts') });
