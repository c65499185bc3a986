// The common texts and those of the tab for webhooks.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/webhooks.ts'), de: () => import('./de/webhooks.ts') });
