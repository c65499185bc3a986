// Three plans of high-end desktop-class CPUs. Spec is silent: names, hardware and prices.
import { type ServerPrice, pricesOf } from './server-price.ts';

export const DEDICATED_PLAN_CODES = ['FARADAY', 'NOETHER', 'CURIE'] as const;
export type DedicatedPlanCode = (typeof DEDICATED_PLAN_CODES)[number];

export interface DedicatedPlan {
  code: DedicatedPlanCode;
  name: string;
  cores: number;
  ramGb: number;
  storage: string;
  /** False: it is no longer sold; servers that were bought go on. */
  sold: boolean;
  prices: ServerPrice[];
}

export const DEDICATED_PLANS: readonly DedicatedPlan[] = [
  { code: 'FARADAY', name: 'Faraday', cores: 8, ramGb: 64, storage: '2 x 1 TB NVMe', sold: true, prices: pricesOf('89', '84', '79') },
  { code: 'NOETHER', name: 'Noether', cores: 12, ramGb: 96, storage: '2 x 2 TB NVMe', sold: true, prices: pricesOf('129', '122', '115') },
  { code: 'CURIE', name: 'Curie', cores: 16, ramGb: 128, storage: '2 x 4 TB NVMe', sold: true, prices: pricesOf('179', '169', '159') },
];
