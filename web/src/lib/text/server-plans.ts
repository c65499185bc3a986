// The common texts and those of server plans, on the public page and in the dashboard.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/server-plans.ts'), de: () => import('./de/server-plans.ts') });
