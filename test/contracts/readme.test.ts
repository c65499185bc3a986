import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variables } from '../../configuration.ts';

const text = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const readme = text('README.md');
const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };

test('the README lists every configuration variable with its own words, and no other', () => {
  const rows = [...readme.matchAll(/^\| `([A-Z0-9_]+)` \| (.+) \|$/gm)].map(([, name, words]) => [name, words]);
  expect(rows).toEqual(Object.entries(variables()).map(([name, [, words]]) => [name, words]));
});

test('every npm command that the README names exists', () => {
  const named = [...readme.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name ?? '');
  expect(named.filter((name) => !scripts[name])).toEqual([]);
});
