// The common texts and those of teams.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/team.ts'), de: () => import('./de/team.ts') });
