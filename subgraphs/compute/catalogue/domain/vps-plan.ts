// Spec, VPS plans. The smallest first: an upgrade only goes to a later one.
import { toMinor } from '#commerce/money.ts';
import { type ServerPrice, pricesOf } from './server-price.ts';

export const VPS_PLAN_CODES = ['PLANK', 'BROGLIE', 'EINSTEIN'] as const;
export type VpsPlanCode = (typeof VPS_PLAN_CODES)[number];

export interface VpsPlan {
  code: VpsPlanCode;
  name: string;
  vcpu: number;
  ramGb: number;
  storageGb: number;
  /** False: it is no longer sold; servers that were bought go on. */
  sold: boolean;
  prices: ServerPrice[];
}

const VPS_PLANS: readonly VpsPlan[] = [
  { code: 'PLANK', name: 'Plank', vcpu: 8, ramGb: 16, storageGb: 100, sold: true, prices: pricesOf('32', '29', '28.33') },
  { code: 'BROGLIE', name: 'Broglie', vcpu: 12, ramGb: 24, storageGb: 120, sold: true, prices: pricesOf('44', '39.67', '39') },
  { code: 'EINSTEIN', name: 'Einstein', vcpu: 16, ramGb: 32, storageGb: 150, sold: true, prices: pricesOf('64', '58', '56.67') },
];

/** The prices of a VPS and its extras. */
export interface VpsPrices {
  plans: readonly VpsPlan[];
  /** Per address and month. */
  extraIpv4Minor: number;
  /** Weekly backups, per month. */
  backupsMinor: number;
}

export const VPS_PRICES: VpsPrices = { plans: VPS_PLANS, extraIpv4Minor: toMinor('1.45'), backupsMinor: toMinor('5') };

/** The hardware of a plan, which the operator cannot change. */
export const vpsHardware = (code: string): Pick<VpsPlan, 'vcpu' | 'ramGb' | 'storageGb'> | undefined =>
  VPS_PLANS.find((plan) => plan.code === code);

/** What a machine of this plan has; undefined for an unknown plan. */
export function vpsSize(code: string): { cores: number; ramGb: number; storageGb: number } | undefined {
  const plan = vpsHardware(code);
  return plan && { cores: plan.vcpu, ramGb: plan.ramGb, storageGb: plan.storageGb };
}

/** The plan as it is sold. */
export const findVpsPlan = ({ plans }: Pick<VpsPrices, 'plans'>, code: string): VpsPlan | undefined =>
  plans.find((plan) => plan.code === code);

/** Spec, Limits: a VPS is upgraded to a larger plan only. */
export const isLarger = (to: VpsPlanCode, from: VpsPlanCode): boolean => VPS_PLAN_CODES.indexOf(to) > VPS_PLAN_CODES.indexOf(from);
