// With what only the pages of static addresses show.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/static-plans.ts'), de: () => import('./de/static-plans.ts') });
