// With what the plans of servers show: on the public page, in the dashboard.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/server-plans.ts'), de: () => import('./de/server-plans.ts') });
