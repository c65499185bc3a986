// What is chosen at purchase, checked and priced. Spec, VPS options.
import { fail } from '#shared/errors.ts';
import { toMinor } from '#shared/money.ts';
import type { OfferLine } from '#shared/offers.ts';
import { OPERATING_SYSTEMS, OPERATING_SYSTEM_CODES, type OperatingSystem } from './operating-system.ts';
import { VPS_PLANS, type VpsPlanCode } from './vps-plan.ts';

/** Spec, Limits: extra public IPv4 per VPS. */
export const EXTRA_IPV4_MAX = 8;
/** Per address and month. */
const EXTRA_IPV4_MINOR = toMinor('1.45');
const SSH_KEYS_MAX = 20;

export interface VpsOrder {
  plan: VpsPlanCode;
  months: number;
  os: OperatingSystem;
  hostname: string;
  extraIpv4: number;
  sshKeys: string[];
}

/** Letters, digits and hyphens in parts of 1 to 63, as names of hosts are. */
const HOSTNAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;
const SSH_KEY =
  /^(ssh-(ed25519|rsa)|ecdsa-sha2-nistp(256|384|521)|sk-(ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com) [A-Za-z0-9+/]{40,4000}={0,3}( [^\r\n]{0,200})?$/;

/** Throws `parameter_invalid` with the field. The host name comes back in lower case. */
export function checkVpsOrder(order: VpsOrder): VpsOrder {
  const hostname = order.hostname.trim().toLowerCase();
  if (!HOSTNAME.test(hostname))
    throw fail('parameter_invalid', { field: 'hostname', reason: 'A host name has letters, digits and hyphens.' });
  if (!OPERATING_SYSTEM_CODES.includes(order.os)) throw fail('parameter_invalid', { field: 'os' });
  const months = pricesOf(order.plan).map((price) => price.months);
  if (!months.includes(order.months)) throw fail('parameter_invalid', { field: 'months', allowed: months });
  if (!Number.isInteger(order.extraIpv4) || order.extraIpv4 < 0 || order.extraIpv4 > EXTRA_IPV4_MAX)
    throw fail('parameter_invalid', { field: 'extraIpv4', reason: 'A VPS has 0 to 8 extra IPv4 addresses.' });
  const sshKeys = order.sshKeys.map((key) => key.trim()).filter(Boolean);
  if (sshKeys.length > SSH_KEYS_MAX || sshKeys.some((key) => !SSH_KEY.test(key)))
    throw fail('parameter_invalid', { field: 'sshKeys', reason: 'This is not a public SSH key in one line.' });
  if (sshKeys.length > 0 && order.os === 'WINDOWS_SERVER_2022')
    throw fail('parameter_invalid', { field: 'sshKeys', reason: 'SSH keys are for Linux.' });
  return { ...order, hostname, sshKeys };
}

function pricesOf(code: VpsPlanCode) {
  const plan = VPS_PLANS.find((one) => one.code === code);
  if (!plan) throw fail('parameter_invalid', { field: 'plan' });
  return plan.prices;
}

/** Per month times months, upfront. */
export function vpsLines({ plan, months, extraIpv4 }: VpsOrder): OfferLine[] {
  const price = pricesOf(plan).find((one) => one.months === months);
  if (!price) throw fail('parameter_invalid', { field: 'months' });
  return [
    { label: `${titleOf(plan)}, per month`, quantity: months, amountMinor: price.upfront.amountMinor },
    ...(extraIpv4 > 0
      ? [{ label: 'Extra IPv4, per address and month', quantity: extraIpv4 * months, amountMinor: EXTRA_IPV4_MINOR * extraIpv4 * months }]
      : []),
  ];
}

const titleOf = (code: VpsPlanCode): string => `VPS ${VPS_PLANS.find((plan) => plan.code === code)?.name ?? code}`;

export const vpsTitle = ({ plan, months, os }: VpsOrder): string =>
  `${titleOf(plan)}, ${OPERATING_SYSTEMS[os].name}, ${months} ${months === 1 ? 'month' : 'months'}`;
