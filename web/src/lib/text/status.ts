// The common texts and those of the status page.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/status.ts'), de: () => import('./de/status.ts') });
