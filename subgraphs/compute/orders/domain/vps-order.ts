// The choices in an order of a VPS, checked and priced. Spec, VPS options.
import { type Reason, because, fail } from '#platform/errors.ts';
import type { OfferLine } from '#commerce/offers.ts';
import { checkHostname } from '../../servers/domain/hostname.ts';
import { OPERATING_SYSTEMS, OPERATING_SYSTEM_CODES, type OperatingSystem } from '../../catalogue/domain/operating-system.ts';
import { checkServerKeys } from '../../ssh-keys/domain/server-keys.ts';
import { type VpsPlanCode, type VpsPrices, findVpsPlan } from '../../catalogue/domain/vps-plan.ts';
import { EXTRA_IPV4_MAX } from '../../../../schema/limits.ts';

/** The most bytes of user data, which cloud-init and the signed offer can easily carry. */
const USER_DATA_BYTES_MAX = 16_384;

export interface VpsOrder {
  plan: VpsPlanCode;
  months: number;
  os: OperatingSystem;
  hostname: string;
  extraIpv4: number;
  sshKeys: string[];
  backups: boolean;
  /** User data for cloud-init; null: none. */
  userData: string | null;
  /** The name of a location; null: anywhere. */
  location: string | null;
}

/** Checks an order; the host name is returned in lower case. Throws `parameter_invalid` with the field. */
export function checkVpsOrder(order: VpsOrder, prices: VpsPrices): VpsOrder {
  const hostname = checkHostname(order.hostname);
  if (!OPERATING_SYSTEM_CODES.includes(order.os)) throw fail('parameter_invalid', { field: 'os' });
  const months = planOf(prices, order.plan).prices.map((price) => price.months);
  if (!months.includes(order.months)) throw fail('parameter_invalid', { field: 'months', allowed: months });
  if (!Number.isInteger(order.extraIpv4) || order.extraIpv4 < 0 || order.extraIpv4 > EXTRA_IPV4_MAX)
    throw fail('parameter_invalid', { field: 'extraIpv4', reason: because('extra_ipv4_unfit') });
  const sshKeys = checkServerKeys(order.sshKeys, order.os);
  const userData = order.userData?.trim() ? order.userData : null;
  if (userData !== null) checkUserData(order.os, userData);
  return { ...order, hostname, sshKeys, userData };
}

function checkUserData(os: OperatingSystem, userData: string): void {
  const refuse = (reason: Reason) => fail('parameter_invalid', { field: 'userData', reason });
  if (os === 'WINDOWS_SERVER_2022') throw refuse(because('user_data_linux_only'));
  if (Buffer.byteLength(userData) > USER_DATA_BYTES_MAX) throw refuse(because('user_data_too_long'));
  if (!/^#(cloud-config|!)/.test(userData)) throw refuse(because('user_data_unfit'));
}

function planOf(prices: VpsPrices, code: VpsPlanCode) {
  const plan = findVpsPlan(prices, code);
  if (!plan) throw fail('parameter_invalid', { field: 'plan' });
  return plan;
}

/** The price of a VPS for a whole period, paid upfront: per month times months. */
export function vpsLines(
  { plan: code, months, extraIpv4, backups }: Pick<VpsOrder, 'plan' | 'months' | 'extraIpv4' | 'backups'>,
  prices: VpsPrices,
): OfferLine[] {
  const plan = planOf(prices, code);
  const price = plan.prices.find((one) => one.months === months);
  if (!price) throw fail('parameter_invalid', { field: 'months' });
  return [
    { label: `VPS ${plan.name}, per month`, quantity: months, amountMinor: price.upfront.amountMinor },
    ...(extraIpv4 > 0
      ? [
          {
            label: 'Extra IPv4, per address and month',
            quantity: extraIpv4 * months,
            amountMinor: prices.extraIpv4Minor * extraIpv4 * months,
          },
        ]
      : []),
    ...(backups ? [{ label: 'Weekly backups, per month', quantity: months, amountMinor: prices.backupsMinor * months }] : []),
  ];
}

export const vpsTitle = (
  { plan, months, os, location }: Pick<VpsOrder, 'plan' | 'months' | 'os' | 'location'>,
  prices: VpsPrices,
): string =>
  [
    `VPS ${planOf(prices, plan).name}`,
    OPERATING_SYSTEMS[os].name,
    ...(location === null ? [] : [location]),
    `${months} ${months === 1 ? 'month' : 'months'}`,
  ].join(', ');
