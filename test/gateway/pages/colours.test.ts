import fc from 'fast-check';
import { expect, test } from 'vitest';
import { colourRules, contrast } from '../../../gateway/pages/colours.ts';

const tokens = (rules: string) =>
  rules
    .split('}')
    .filter(Boolean)
    .map((block) => Object.fromEntries([...block.matchAll(/--([\w-]+):(#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value])));

/** Background colours of `web/src/app.css` behind text in the accent colour, per theme. */
const GROUNDS = [
  ['#f6f8f7', '#ffffff', '#eef2f0'],
  ['#0c100e', '#131816', '#1b2220'],
];

test('contrast is computed as in WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('a readable colour stays unchanged', () => {
  expect(tokens(colourRules('#0a5c73'))[0]?.['accent']).toBe('#0a5c73');
});

test('no colour changes nothing', () => {
  expect(colourRules(undefined)).toBe('');
});

test('for any colour, text in it, on it and on its soft background is readable in both themes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (number) => {
      const themes = tokens(colourRules(`#${number.toString(16).padStart(6, '0')}`));
      themes.forEach((theme, index) => {
        const accent = theme['accent'] ?? '';
        for (const ground of [...(GROUNDS[index] ?? []), theme['accent-soft'] ?? '', theme['on-accent'] ?? ''])
          expect(contrast(accent, ground), `${accent} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      });
      expect(themes).toHaveLength(2);
    }),
    { numRuns: 300 },
  );
});
