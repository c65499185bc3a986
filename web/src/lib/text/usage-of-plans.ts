// The common texts and those of what all plans were used for.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/usage-of-plans.ts'), de: () => import('./de/usage-of-plans.ts') });
