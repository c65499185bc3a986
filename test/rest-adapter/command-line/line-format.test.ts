import { expect, test } from 'vitest';
import { barChart, meter } from '../../../rest-adapter/command-line/chart.ts';
import { formatLines } from '../../../rest-adapter/command-line/line-format.ts';
import { formatLines as ofDashboard, lineFormats, toFile } from '../../../web/src/lib/residential/lines.ts';

const LINES = ['proxy.example:7777:u7k2m9-country-de:s3cr3t', 'proxy.example:7777:u7k2m9-country-at:s3cr3t'];

test.each(lineFormats)('lines as %s are those of the dashboard', (format) => {
  expect(formatLines(LINES, format, 'socks5')).toBe(`${ofDashboard(LINES, format, 'socks5').join('\n')}\n`);
});

test.each(['csv', 'json'] as const)("a %s file is the dashboard's", (kind) => {
  expect(formatLines(LINES, kind, 'http')).toBe(toFile(LINES, kind, 'http'));
});

test('curl resolves names at the proxy', () => {
  expect(formatLines(LINES.slice(0, 1), 'curl', 'socks5')).toBe(
    "curl -x 'socks5h://u7k2m9-country-de:s3cr3t@proxy.example:7777' https://example.com\n",
  );
});

test('a chart fits the screen, and shows the least use that there is', () => {
  const lines = barChart({ '2026-01-14': 0, '2026-01-15': 0.01, '2026-01-16': 312.5 }, 'MB', 40);
  expect(lines).toEqual(['2026-01-14  0 MB', '2026-01-15  ▏  0.01 MB', `2026-01-16  ${'█'.repeat(19)}  313 MB`]);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(40);
  expect(meter(1.25, 5, 8)).toBe('██░░░░░░  25.0 %');
});
