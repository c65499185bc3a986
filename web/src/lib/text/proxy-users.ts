// The common texts and those of a plan's proxy users.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/proxy-users.ts'), de: () => import('./de/proxy-users.ts') });
