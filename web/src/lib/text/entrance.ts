// The common texts and those of sign-up, sign-in and what belongs to them.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/entrance.ts'), de: () => import('./de/entrance.ts') });
