// Spec, VPS plans. Smallest first: an upgrade goes up this list only.
import { type ServerPrice, pricesOf } from './server-price.ts';

export const VPS_PLAN_CODES = ['PLANK', 'BROGLIE', 'EINSTEIN'] as const;
export type VpsPlanCode = (typeof VPS_PLAN_CODES)[number];

export interface VpsPlan {
  code: VpsPlanCode;
  name: string;
  vcpu: number;
  ramGb: number;
  storageGb: number;
  prices: ServerPrice[];
}

export const VPS_PLANS: readonly VpsPlan[] = [
  { code: 'PLANK', name: 'Plank', vcpu: 8, ramGb: 16, storageGb: 100, prices: pricesOf('32', '29', '28.33') },
  { code: 'BROGLIE', name: 'Broglie', vcpu: 12, ramGb: 24, storageGb: 120, prices: pricesOf('44', '39.67', '39') },
  { code: 'EINSTEIN', name: 'Einstein', vcpu: 16, ramGb: 32, storageGb: 150, prices: pricesOf('64', '58', '56.67') },
];

/** Spec, Limits: extra public IPv4 per VPS. */
export const EXTRA_IPV4_MAX = 8;

export const findVpsPlan = (code: string): VpsPlan | undefined => VPS_PLANS.find((plan) => plan.code === code);

/** Spec, Limits: a VPS is upgraded to a larger plan only. */
export const isLarger = (to: VpsPlanCode, from: VpsPlanCode): boolean => VPS_PLAN_CODES.indexOf(to) > VPS_PLAN_CODES.indexOf(from);
