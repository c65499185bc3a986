import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const text = (name: string) => readFileSync(new URL(name, ROOT), 'utf8');
const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };

test.each(['README.md', ...globSync('docs/*.md', { cwd: ROOT })])('every npm command that %s names exists', (paper) => {
  const named = [...text(paper).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name ?? '');
  expect(named.filter((name) => !scripts[name])).toEqual([]);
});
