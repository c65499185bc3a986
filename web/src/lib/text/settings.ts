// The common texts and those of the settings.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/settings.ts'), de: () => import('./de/settings.ts') });
