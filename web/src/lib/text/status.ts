// With what only the status page shows.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/status.ts'), de: () => import('./de/status.ts') });
