// The common texts and those of the page for SSH keys.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/ssh-keys.ts'), de: () => import('./de/ssh-keys.ts') });
