// With what only the pages of servers show.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/servers.ts'), de: () => import('./de/servers.ts') });
