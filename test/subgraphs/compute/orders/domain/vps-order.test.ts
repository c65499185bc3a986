import { describe, expect, test } from 'vitest';
import { OPERATING_SYSTEMS } from '../../../../../subgraphs/compute/catalogue/domain/operating-system.ts';
import { type VpsOrder, checkVpsOrder, vpsLines, vpsTitle } from '../../../../../subgraphs/compute/orders/domain/vps-order.ts';
import { VPS_PLAN_CODES, VPS_PRICES } from '../../../../../subgraphs/compute/catalogue/domain/vps-plan.ts';

const order = (over: Partial<VpsOrder> = {}): VpsOrder => ({
  plan: 'PLANK',
  months: 1,
  os: 'DEBIAN_12',
  hostname: 'web-1',
  extraIpv4: 0,
  sshKeys: [],
  backups: false,
  userData: null,
  location: null,
  ...over,
});
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGXkciLHURqLACAo5i43AZ4pzUaSMZ5jhfZe2bbf9zBo me@example';

test('the price of every plan and period, alone and with extra addresses, in cents', () => {
  const rows = VPS_PLAN_CODES.flatMap((plan) =>
    [1, 3, 6].map((months) =>
      [0, 1, 8].map((extraIpv4) =>
        vpsLines(order({ plan, months, extraIpv4 }), VPS_PRICES).reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      ),
    ),
  );
  // The price per month times the months, plus 1.45 per extra address and month.
  expect(rows).toEqual([
    [3_200, 3_345, 4_360],
    [8_700, 9_135, 12_180],
    [16_998, 17_868, 23_958],
    [4_400, 4_545, 5_560],
    [11_901, 12_336, 15_381],
    [23_400, 24_270, 30_360],
    [6_400, 6_545, 7_560],
    [17_400, 17_835, 20_880],
    [34_002, 34_872, 40_962],
  ]);
});

test('an offer says what it is for', () => {
  expect(vpsTitle(order({ months: 3, os: 'WINDOWS_SERVER_2022' }), VPS_PRICES)).toBe('VPS Plank, Windows Server 2022, 3 months');
  expect(vpsLines(order({ months: 3, extraIpv4: 2 }), VPS_PRICES)).toEqual([
    { label: 'VPS Plank, per month', quantity: 3, amountMinor: 8_700 },
    { label: 'Extra IPv4, per address and month', quantity: 6, amountMinor: 870 },
  ]);
});

test('log-in names are those of the image family', () => {
  expect(Object.values(OPERATING_SYSTEMS).map(({ name, loginName }) => [name, loginName])).toEqual([
    ['Ubuntu 24.04 LTS', 'ubuntu'],
    ['Ubuntu 25.04', 'ubuntu'],
    ['Debian 12', 'debian'],
    ['Debian 13', 'debian'],
    ['Windows Server 2022', 'Administrator'],
  ]);
});

describe('an order', () => {
  test.each([
    [{ hostname: ' Web-1.Example.COM ' }, { hostname: 'web-1.example.com' }],
    [{ sshKeys: [` ${KEY} `, ''] }, { sshKeys: [KEY] }],
    [{ extraIpv4: 8 }, { extraIpv4: 8 }],
  ] as [Partial<VpsOrder>, Partial<VpsOrder>][])('%o is taken as %o', (over, expected) => {
    expect(checkVpsOrder(order(over), VPS_PRICES)).toMatchObject(expected);
  });

  test.each([
    ['hostname', { hostname: '' }],
    ['hostname', { hostname: '-web' }],
    ['hostname', { hostname: 'we b' }],
    ['hostname', { hostname: 'a'.repeat(64) }],
    ...['127.0.0.1', '1.2.3.4', '127.1', '2130706433', '0x7f000001', 'web.0x7f', 'web.1'].map((hostname): [string, object] => [
      'hostname',
      { hostname },
    ]),
    ['months', { months: 2 }],
    ['extraIpv4', { extraIpv4: 9 }],
    ['extraIpv4', { extraIpv4: -1 }],
    ['sshKeys', { sshKeys: ['ssh-dss AAAA'] }],
    ['sshKeys', { sshKeys: [`${KEY}\ncommand="x"`] }],
    ['sshKeys', { sshKeys: Array.from({ length: 21 }, () => KEY) }],
    ['sshKeys', { sshKeys: [KEY], os: 'WINDOWS_SERVER_2022' }],
  ] as [string, Partial<VpsOrder>][])('with a wrong %s is refused by that field: %o', (field, over) => {
    expect(() => checkVpsOrder(order(over), VPS_PRICES)).toThrow(
      expect.objectContaining({ code: 'parameter_invalid', meta: expect.objectContaining({ field }) }),
    );
  });
});
