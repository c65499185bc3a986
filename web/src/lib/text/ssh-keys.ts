// With what only the page of SSH keys shows.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/ssh-keys.ts'), de: () => import('./de/ssh-keys.ts') });
