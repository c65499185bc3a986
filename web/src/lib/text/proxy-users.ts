// With what only the proxy users of a plan show.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/proxy-users.ts'), de: () => import('./de/proxy-users.ts') });
