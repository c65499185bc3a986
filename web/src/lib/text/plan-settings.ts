// The common texts and those of the settings of a plan.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/plan-settings.ts'), de: () => import('./de/plan-settings.ts') });
