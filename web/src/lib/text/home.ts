// The common texts and those of the first page of an account.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/home.ts'), de: () => import('./de/home.ts') });
