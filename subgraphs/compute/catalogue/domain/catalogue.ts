// What the operator can set of servers, in the parts `vps`, `dedicated` and `systems` of a catalogue file:
// { "vps": { "PLANK": { "prices": { "1": "32", "3": "29", "6": "28.33" } }, "extraIpv4": { "price": "1.45" } }, "dedicated": { "CURIE": { "cores": 24 } },
//   "systems": { "DEBIAN_12": { "sold": false } } }
import { type CatalogueField, type ValueOf, costField } from '#commerce/catalogue/catalogue-entry.ts';
import { DEDICATED_PLANS, type DedicatedPlan } from './dedicated-plan.ts';
import { OPERATING_SYSTEM_CODES, type OperatingSystem } from './operating-system.ts';
import { BILLING_PERIODS, type ServerPrice, pricedAt } from './server-price.ts';
import { VPS_PRICES, type VpsPrices } from './vps-plan.ts';

const EXTRA_IPV4 = 'vps.extraIpv4';
const BACKUPS = 'vps.backups';

/** The fields of every plan. */
function fieldsOfPlan(item: string, { name, prices }: { name: string; prices: readonly ServerPrice[] }): CatalogueField[] {
  const steps = Object.fromEntries(prices.map(({ months, perMonth }) => [months, perMonth.amountMinor]));
  return [
    { item, name: 'name', kind: 'TEXT', usual: name },
    { item, name: 'sold', kind: 'FLAG', usual: true },
    { item, name: 'prices', kind: 'AMOUNTS', usual: steps, steps: BILLING_PERIODS },
    costField(item),
  ];
}

export const COMPUTE_CATALOGUE: readonly CatalogueField[] = [
  ...VPS_PRICES.plans.flatMap((plan) => fieldsOfPlan(`vps.${plan.code}`, plan)),
  { item: EXTRA_IPV4, name: 'price', kind: 'AMOUNT', usual: VPS_PRICES.extraIpv4Minor },
  costField(EXTRA_IPV4),
  { item: BACKUPS, name: 'price', kind: 'AMOUNT', usual: VPS_PRICES.backupsMinor },
  costField(BACKUPS),
  ...DEDICATED_PLANS.flatMap((plan): CatalogueField[] => {
    const item = `dedicated.${plan.code}`;
    return [
      ...fieldsOfPlan(item, plan),
      { item, name: 'cores', kind: 'COUNT', usual: plan.cores },
      { item, name: 'ramGb', kind: 'COUNT', usual: plan.ramGb },
      { item, name: 'storage', kind: 'TEXT', usual: plan.storage },
    ];
  }),
  ...OPERATING_SYSTEM_CODES.map((code): CatalogueField => ({ item: `systems.${code}`, name: 'sold', kind: 'FLAG', usual: true })),
];

/** What this operator sells, at which prices. */
export interface ServerShop {
  vps: VpsPrices;
  dedicatedPlans: readonly DedicatedPlan[];
  /** Systems with which new servers can be ordered. */
  systems: readonly OperatingSystem[];
}

const planOf = (valueOf: ValueOf, item: string) => ({
  name: valueOf(item, 'name') as string,
  sold: valueOf(item, 'sold') as boolean,
  prices: pricedAt(valueOf(item, 'prices') as Record<string, number>),
});

/** What is sold according to the catalogue at a moment. */
export const toServerShop = (valueOf: ValueOf): ServerShop => ({
  vps: {
    plans: VPS_PRICES.plans.map((plan) => ({ ...plan, ...planOf(valueOf, `vps.${plan.code}`) })),
    extraIpv4Minor: valueOf(EXTRA_IPV4, 'price') as number,
    backupsMinor: valueOf(BACKUPS, 'price') as number,
  },
  dedicatedPlans: DEDICATED_PLANS.map((plan) => {
    const item = `dedicated.${plan.code}`;
    return {
      ...plan,
      ...planOf(valueOf, item),
      cores: valueOf(item, 'cores') as number,
      ramGb: valueOf(item, 'ramGb') as number,
      storage: valueOf(item, 'storage') as string,
    };
  }),
  systems: OPERATING_SYSTEM_CODES.filter((code) => valueOf(`systems.${code}`, 'sold') as boolean),
});
