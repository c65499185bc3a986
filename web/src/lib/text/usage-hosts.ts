// The common texts and those of how target hosts are kept.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/usage-hosts.ts'), de: () => import('./de/usage-hosts.ts') });
