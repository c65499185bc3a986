// The common texts and those of the log of a plan's requests.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/request-log.ts'), de: () => import('./de/request-log.ts') });
