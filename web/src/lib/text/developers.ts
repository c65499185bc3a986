// With what only the page for developers shows.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/developers.ts'), de: () => import('./de/developers.ts') });
