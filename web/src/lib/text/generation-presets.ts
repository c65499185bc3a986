// The common texts and those of presets for generation.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/generation-presets.ts'), de: () => import('./de/generation-presets.ts') });
