// The common texts and those of checkout, orders and billing.
import { texts } from './texts.ts';

export const t = await texts({ en: () => import('./en/payments.ts'), de: () => import('./de/payments.ts') });
