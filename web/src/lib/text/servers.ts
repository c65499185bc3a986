// The common texts and those of the pages for servers.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/servers.ts'), de: () => import('./de/servers.ts') });
