// What mails about the prices of one account know, and how they name what is priced and list what it costs, in any language.
import { formatMoney, usd } from '#commerce/money.ts';

/** One price, from so many GB on, or when so many months are paid at once; in minor units before tax. */
export interface PriceStep {
  from: number;
  amountMinor: number;
}

export interface PricedItem {
  brand: string;
  seller: string;
  /** In the catalogue. */
  item: string;
  /** What the catalogue calls it. */
  name?: string;
  /** Ascending, at least one. */
  prices: readonly PriceStep[];
  url: string;
}

/** What has no name in the catalogue. */
export type Nameless = 'vps.extraIpv4' | 'vps.backups';

/** How a language says it. */
export interface PriceSayings {
  nameless: Readonly<Record<Nameless, string>>;
  /** From "4.50 USD". */
  amount(sum: string): string;
  /** What each is the price of, by seller. */
  unit: Readonly<Record<string, string>>;
  /** From how many on, by seller; none for a price without steps. */
  step: Readonly<Record<string, (from: number) => string>>;
}

const isNameless = (item: string, { nameless }: PriceSayings): item is Nameless => Object.hasOwn(nameless, item);

/** As orders name it: "Premium", "ISP Northline", "VPS Plank". */
export function titleOf({ item, name = item }: Pick<PricedItem, 'item' | 'name'>, sayings: PriceSayings): string {
  if (isNameless(item, sayings)) return sayings.nameless[item];
  if (item.startsWith('vps.')) return `VPS ${name}`;
  return item.startsWith('static.isp-') ? `ISP ${name}` : name;
}

/** "4.38 USD per GB from 1 GB, 3.94 USD from 10 GB". */
export function costsOf({ seller, prices }: Pick<PricedItem, 'seller' | 'prices'>, { amount, unit, step }: PriceSayings): string {
  const stepOf = step[seller];
  return prices
    .map(({ from, amountMinor }, index) =>
      [
        amount(formatMoney(usd(amountMinor))),
        ...(index === 0 ? [unit[seller] ?? ''] : []),
        ...(prices.length > 1 && stepOf ? [stepOf(from)] : []),
      ].join(' '),
    )
    .join(', ');
}
