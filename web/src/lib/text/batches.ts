// The common texts and those of a plan's batches.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/batches.ts'), de: () => import('./de/batches.ts') });
