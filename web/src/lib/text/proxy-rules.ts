// The texts of the public page about proxies.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/proxy-rules.ts'), de: () => import('./de/proxy-rules.ts') });
