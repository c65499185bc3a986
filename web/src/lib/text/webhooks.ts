// With what only the tab for webhooks shows.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/webhooks.ts'), de: () => import('./de/webhooks.ts') });
