// What search engines and chats read of public pages.
import { expect, test } from 'vitest';
import { createEngineFiles } from '../../../gateway/pages/engine-files.ts';
import { goodsOf, headOf, pictureOf, withIcons } from '../../../gateway/pages/page-head.ts';
import { startSite } from '../site.ts';

const HTML = '<title>Acme &amp; Co · Proxies</title><meta name="description" content="By the GB." />';
const KNOWN = { origin: 'https://acme.example', brand: 'Acme "& Co"', language: 'de', picture: '/logo', goods: [] } as const;

test('a public page has its address and a card, with its own title and description', () => {
  const head = headOf(HTML, { ...KNOWN, path: '/docs' });
  for (const part of [
    '<link rel="canonical" href="https://acme.example/docs" />',
    '<meta property="og:title" content="Acme &amp; Co · Proxies" />',
    '<meta property="og:description" content="By the GB." />',
    '<meta property="og:site_name" content="Acme &quot;&amp; Co&quot;" />',
    '<meta property="og:locale" content="de_DE" />',
    '<meta property="og:image" content="https://acme.example/logo" />',
  ])
    expect(head).toContain(part);
  expect(head).not.toContain('ld+json');
  expect(headOf(HTML, { ...KNOWN, path: '/docs', picture: null })).not.toContain('og:image');
});

test('phones and chats get the mark or the logo of the operator, but no vector picture', () => {
  const shell = '<link rel="icon" href="/favicon.svg" /><link rel="apple-touch-icon" href="/icon.png" />';
  const iconsOf = (logo: string | undefined) => {
    const picture = pictureOf(logo, '/logo');
    return [picture, withIcons(shell, logo === undefined ? null : '/logo', picture)];
  };
  expect(iconsOf(undefined)).toEqual(['/icon.png', shell]);
  expect(iconsOf('acme.PNG')).toEqual(['/logo', '<link rel="icon" href="/logo" /><link rel="apple-touch-icon" href="/logo" />']);
  expect(iconsOf('acme.SVG')).toEqual([null, '<link rel="icon" href="/logo" />']);
});

test('a step of a way in is not for engines', () => {
  for (const path of ['/sign-in', '/verify', '/recover', '/check-your-mail'])
    expect(headOf(HTML, { ...KNOWN, path })).toBe('<meta name="robots" content="noindex" />');
});

test('the first page says what is sold and from which price, and its data cannot end the script', () => {
  const usd = (amountMinor: number) => ({ amountMinor, currency: 'USD' });
  const goods = goodsOf({
    ResidentialProducts: { residentialProducts: [{ name: '</script>', prices: [{ perGb: usd(500) }, { perGb: usd(340) }] }] },
    StaticProducts: { staticProducts: [{ name: 'ISP', perAddress: usd(240) }] },
    ServerPlans: { vpsPlans: [{ name: 'Plank', prices: [{ perMonth: usd(1_000) }] }], dedicatedPlans: [{ name: 'None', prices: [] }] },
  });
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(headOf(HTML, { ...KNOWN, path: '/', goods })) ?? [];
  const data = JSON.parse(json) as { hasOfferCatalog: { itemListElement: object[] } };
  expect(data.hasOfferCatalog.itemListElement).toMatchObject([
    { itemOffered: { name: '</script>' }, priceSpecification: { minPrice: '3.40', priceCurrency: 'USD' } },
    { itemOffered: { name: 'ISP' }, priceSpecification: { minPrice: '2.40' } },
    { itemOffered: { name: 'Plank' }, priceSpecification: { minPrice: '10.00' } },
  ]);
  expect(goodsOf({})).toEqual([]);
});

test('engines are told which pages there are, and which are an account’s', async () => {
  const site = await startSite({ routes: () => [createEngineFiles('https://acme.example', ['/', '/docs', '/verify'])] });
  try {
    const map = await fetch(`${site.url}/sitemap.xml`);
    expect(map.headers.get('content-type')).toContain('application/xml');
    expect((await map.text()).match(/<loc>.*?<\/loc>/g)).toEqual([
      '<loc>https://acme.example/</loc>',
      '<loc>https://acme.example/docs</loc>',
    ]);
    const robots = await (await fetch(`${site.url}/robots.txt`)).text();
    expect(robots).toContain('Disallow: /billing\n');
    expect(robots).toContain('Sitemap: https://acme.example/sitemap.xml\n');
  } finally {
    await site.close();
  }
});
