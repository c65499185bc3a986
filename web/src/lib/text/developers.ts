// The common texts and those of the page for developers.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/developers.ts'), de: () => import('./de/developers.ts') });
