// The common texts and those of the palette.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/palette.ts'), de: () => import('./de/palette.ts') });
