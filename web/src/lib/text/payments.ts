// With what is shown where something is paid: checkout, orders, billing.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/payments.ts'), de: () => import('./de/payments.ts') });
