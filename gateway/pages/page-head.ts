// What search engines and chats read of a public page: its address, a card of title, description and picture, and, on the first page, what is sold.
import type { Language } from '#platform/language.ts';
import { escapeHtml } from '#platform/markup.ts';
import { type Money, decimalOf } from '#commerce/money.ts';

/** Pages that are for everybody; the others are steps of a way in, which no engine should lead to. */
const LISTED = /^\/(|docs(\/[\w-]+)?|status|sign-up)$/;
export const isListed = (path: string): boolean => LISTED.test(path);

/** The mark that the dashboard has of itself, as phones and chats show it. */
const MARK = '/icon.png';

/** The picture of an installation for phones and cards in chats, which show no vector pictures; null: none. `logo`: the operator's file, served at `path`. */
export const pictureOf = (logo: string | undefined, path: string): string | null =>
  logo === undefined ? MARK : /\.svg$/i.test(logo) ? null : path;

/** A page with the operator's logo for its icons. `logo` null: with the built-in mark, as it is built. */
export function withIcons(html: string, logo: string | null, picture: string | null): string {
  if (logo === null) return html;
  return html
    .replace('href="/favicon.svg"', () => `href="${escapeHtml(logo)}"`)
    .replace(/<link rel="apple-touch-icon"[^>]*>/, () =>
      picture === null ? '' : `<link rel="apple-touch-icon" href="${escapeHtml(picture)}" />`,
    );
}

interface PageHead {
  path: string;
  origin: string;
  language: Language;
  brand: string;
  /** The path of the picture of the card; null: a card without one. */
  picture: string | null;
  /** What is sold, by name, with the lowest price of each. */
  goods: readonly Good[];
}

interface Good {
  name: string;
  price: Money;
}

/** The head's elements for a drawn page, whose title and description they repeat. */
export function headOf(html: string, { path, origin, language, brand, picture, goods }: PageHead): string {
  if (!isListed(path)) return '<meta name="robots" content="noindex" />';
  const address = new URL(path, origin).href;
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? brand;
  const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1];
  const card = {
    'og:type': 'website',
    'og:site_name': escapeHtml(brand),
    'og:locale': language === 'de' ? 'de_DE' : 'en_US',
    'og:url': escapeHtml(address),
    'og:title': title,
    ...(description && { 'og:description': description }),
    ...(picture !== null && { 'og:image': escapeHtml(new URL(picture, origin).href) }),
  };
  return [
    `<link rel="canonical" href="${escapeHtml(address)}" />`,
    ...Object.entries(card).map(([property, content]) => `<meta property="${property}" content="${content}" />`),
    `<meta name="twitter:card" content="summary" />`,
    ...(path === '/' ? [structured(origin, brand, goods)] : []),
  ].join('\n    ');
}

/** As schema.org has it (https://schema.org/Organization, /OfferCatalog). A block of data: no browser runs it. */
function structured(origin: string, brand: string, goods: readonly Good[]): string {
  const offers = goods.map(({ name, price }) => ({
    '@type': 'Offer',
    itemOffered: { '@type': 'Service', name },
    priceSpecification: {
      '@type': 'PriceSpecification',
      minPrice: decimalOf(price.amountMinor),
      priceCurrency: price.currency,
      valueAddedTaxIncluded: false,
    },
  }));
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: brand,
    url: origin,
    ...(offers.length > 0 && { hasOfferCatalog: { '@type': 'OfferCatalog', name: brand, itemListElement: offers } }),
  };
  // Inside a script element only a less-than sign could end the script.
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}

interface PublicAnswers {
  ResidentialProducts?: { residentialProducts: { name: string; prices: { perGb: Money }[] }[] };
  StaticProducts?: { staticProducts: { name: string; perAddress: Money }[] };
  ServerPlans?: { vpsPlans: SoldServer[]; dedicatedPlans: SoldServer[] };
}
interface SoldServer {
  name: string;
  prices: { perMonth: Money }[];
}

/** What the answers of public queries (`web/src/lib/ops/public.ts`) sell; an answer that failed sells nothing. */
export function goodsOf(answers: Record<string, unknown>): Good[] {
  const { ResidentialProducts: residential, StaticProducts: fixed, ServerPlans: servers } = answers as PublicAnswers;
  const lowest = (name: string, prices: readonly Money[]): Good[] => {
    const [price] = prices.toSorted((one, other) => one.amountMinor - other.amountMinor);
    return price ? [{ name, price }] : [];
  };
  return [
    ...(residential?.residentialProducts ?? []).flatMap(({ name, prices }) =>
      lowest(
        name,
        prices.map(({ perGb }) => perGb),
      ),
    ),
    ...(fixed?.staticProducts ?? []).flatMap(({ name, perAddress }) => lowest(name, [perAddress])),
    ...[...(servers?.vpsPlans ?? []), ...(servers?.dedicatedPlans ?? [])].flatMap(({ name, prices }) =>
      lowest(
        name,
        prices.map(({ perMonth }) => perMonth),
      ),
    ),
  ];
}
