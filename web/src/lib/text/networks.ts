// The common texts and those of log-in by address.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/networks.ts'), de: () => import('./de/networks.ts') });
