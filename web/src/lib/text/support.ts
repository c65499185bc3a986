// With what only the desk of support shows.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/support.ts'), de: () => import('./de/support.ts') });
