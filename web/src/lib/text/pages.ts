// With what only the public pages show.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/pages.ts'), de: () => import('./de/pages.ts') });
