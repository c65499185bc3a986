// How the dashboard writes and reads sizes, amounts and counts in each language: the functions alone, without a browser.
import { afterAll, describe, expect, test, vi } from 'vitest';

interface Formats {
  formatBytes(bytes: string, how?: { up?: boolean; like?: string }): string;
  parseGb(text: string): string | undefined;
  toGbText(bytes: string): string;
  formatMoney(money: { amountMinor: number; currency: string }): string;
  parseCents(text: string): number | undefined;
  formatCount(value: number): string;
}

/** The modules read the page's language when they are loaded. */
async function formatsIn(language: string): Promise<Formats> {
  Object.assign(globalThis, { pageLanguage: language });
  vi.resetModules();
  const load = (name: string) => import(/* @vite-ignore */ new URL(`../../web/src/lib/format/${name}.ts`, import.meta.url).href);
  return Object.assign({}, ...(await Promise.all(['bytes', 'money', 'count'].map(load)))) as Formats;
}
afterAll(() => {
  Object.assign(globalThis, { pageLanguage: undefined });
});

/** Intl puts spaces of its own between figures and signs. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

describe.each([
  ['en', { size: '1.25 GB', small: '402.5 kB', money: '$1,234.50', count: '5,000', one: '1.5' }],
  ['de', { size: '1,25 GB', small: '402,5 kB', money: '1.234,50 $', count: '5.000', one: '1,5' }],
] as const)('in %s', (language, says) => {
  test.each([
    ['0', '0 GB'],
    ['1', '1 B'],
    ['999', '999 B'],
    ['1000', '1 kB'],
    ['80000000000', '80 GB'],
    ['170000000000', '170 GB'],
    ['999999999999', language === 'en' ? '999.99 GB' : '999,99 GB'],
    ['1000000000000', '1 TB'],
    ['1250000000', says.size],
    ['402500', says.small],
    ['123456789012345678901234', language === 'en' ? '123,456,789.01 PB' : '123.456.789,01 PB'],
  ])('%s bytes are %s', async (bytes, text) => {
    expect(plain((await formatsIn(language)).formatBytes(bytes))).toBe(text);
  });

  test('no size below a thousand of the largest unit has three digits after a single sign', async () => {
    const { formatBytes } = await formatsIn(language);
    for (let power = 0; power < 13; power++)
      for (const digits of [1n, 12n, 123n, 1234n, 99999n, 80001n])
        for (const up of [false, true])
          expect(formatBytes((digits * 10n ** BigInt(power)).toString(), { up })).not.toMatch(/(?<![\d.,])\d{1,3}[.,]\d{3}(?![\d.,])/);
  });

  test('used and left add up: one is rounded down, the other up', async () => {
    const { formatBytes } = await formatsIn(language);
    expect([formatBytes('3333333333'), formatBytes('1666666667', { up: true })].map((text) => text.replace(',', '.'))).toEqual([
      '3.33 GB',
      '1.67 GB',
    ]);
    expect(formatBytes('999999999', { up: true })).toBe('1 GB');
  });

  test('what is typed is read as the language writes it, and refused where it could mean a thousand times more', async () => {
    const { parseGb, toGbText, parseCents } = await formatsIn(language);
    const [sign, other] = language === 'en' ? ['.', ','] : [',', '.'];
    expect(parseGb(`2${sign}125`)).toBe('2125000000');
    expect(parseGb(`2${other}5`)).toBe('2500000000');
    expect(parseGb('1000')).toBe('1000000000000');
    for (const refused of [`1${other}000`, `1${other}000${other}000`, `1${sign}5${sign}0`, `1${sign}2345`, '', '1 GB', '-1', '1e3'])
      expect(parseGb(refused), refused).toBeUndefined();
    expect(toGbText('1500000000')).toBe(says.one);
    expect(parseGb(toGbText('1234567000000'))).toBe('1234567000000');
    expect([parseCents('12.50'), parseCents('12,5'), parseCents('1000')]).toEqual([1250, 1250, 100_000]);
    for (const refused of ['1,000', '1.000', '1.000,50', '0', '', '$5']) expect(parseCents(refused), refused).toBeUndefined();
  });

  test('amounts and counts are written in one way', async () => {
    const { formatMoney, formatCount } = await formatsIn(language);
    expect(plain(formatMoney({ amountMinor: 123_450, currency: 'USD' }))).toBe(says.money);
    expect(plain(formatMoney({ amountMinor: 500, currency: 'JPY' }))).toMatch(/500/);
    expect(formatCount(5_000)).toBe(says.count);
  });
});
