// The common texts and those of what a package was used for.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/residential-usage.ts'), de: () => import('./de/residential-usage.ts') });
