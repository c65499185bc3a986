// The four residential products and everything that differs between them.
import { type Money, usd } from '#commerce/money.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';

/** From this volume on, a GB costs this much. */
export interface PriceStep {
  fromGb: number;
  perGbMinor: number;
}

export interface Product {
  code: ProductCode;
  name: string;
  /** Sticky session lifetimes in minutes. Spec, Residential products and allowed sticky session times. */
  sessionMinutes: readonly number[];
  /** Spec, Limits: Daily Usage Limit, Premium residential plans only. */
  dailyLimitAvailable: boolean;
  /** False: it is no longer sold; plans that were bought go on. */
  sold: boolean;
  /** How many days a bought package is valid, from its delivery; null: for ever. */
  validDays: number | null;
  /** Ascending; the first step starts at 1 GB. */
  prices: readonly PriceStep[];
}

export type Products = Readonly<Record<ProductCode, Product>>;

const steps = (...[one, ten, fifty, twoHundredFifty]: [number, number, number, number]): PriceStep[] => [
  { fromGb: 1, perGbMinor: one },
  { fromGb: 10, perGbMinor: ten },
  { fromGb: 50, perGbMinor: fifty },
  { fromGb: 250, perGbMinor: twoHundredFifty },
];

/** Spec is silent: the prices, in cents per GB for packages from 1 / 10 / 50 / 250 GB on. */
export const DEFAULT_PRODUCTS: Products = {
  PREMIUM: {
    code: 'PREMIUM',
    name: 'Premium',
    sessionMinutes: [30, 60, 120, 240],
    dailyLimitAvailable: true,
    sold: true,
    validDays: null,
    prices: steps(500, 450, 400, 340),
  },
  PRIVATE_RESIDENTIAL: {
    code: 'PRIVATE_RESIDENTIAL',
    name: 'Private Residential',
    sessionMinutes: [30, 60, 120, 720],
    dailyLimitAvailable: false,
    sold: true,
    validDays: null,
    prices: steps(260, 230, 200, 170),
  },
  MOBILE: {
    code: 'MOBILE',
    name: 'Mobile',
    sessionMinutes: [30, 60, 120],
    dailyLimitAvailable: false,
    sold: true,
    validDays: null,
    prices: steps(650, 600, 520, 440),
  },
  ALT_RESIDENTIAL: {
    code: 'ALT_RESIDENTIAL',
    name: 'Alt Residential',
    sessionMinutes: [30, 60, 120, 720, 1440],
    dailyLimitAvailable: false,
    sold: true,
    validDays: null,
    prices: steps(190, 170, 150, 120),
  },
};

/** Spec is silent: the dashboard's form offers 5 minutes besides the product's list (its example is "5m, 30m, 1h"). */
const FORM_MINUTES = 5;

export const formSessionMinutes = (product: Product): number[] => [FORM_MINUTES, ...product.sessionMinutes];

/** Spec is silent: a package has 1 to 10,000 whole GB; more is arranged through sales. */
export const PACKAGE_GB = { min: 1, max: 10_000 } as const;

/** The price per GB of a package of so many GB: the step of the package's size holds for all of it. */
export function perGb(product: Product, gigabytes: number): Money {
  const step = product.prices.findLast(({ fromGb }) => fromGb <= gigabytes);
  if (!step) throw new RangeError(`no price for ${gigabytes} GB`);
  return usd(step.perGbMinor);
}
