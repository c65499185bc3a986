import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variables } from '../../configuration.ts';
import { NODE_VARIABLES } from '../../edge/node-configuration.ts';
import { defaultOf, settingsPage } from '../../settings-page.ts';

const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');

test('docs/settings.md is up to date: npm run --silent settings > docs/settings.md', () => {
  expect(page).toBe(settingsPage());
});

test('it has every variable, and those of a proxy node, once under each', () => {
  const named = [...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...Object.keys(variables()), ...Object.keys(NODE_VARIABLES)].toSorted());
});

test('a default can be written as it is shown, and means the same', () => {
  for (const [name, [schema]] of [...Object.entries(variables()), ...Object.entries(NODE_VARIABLES)]) {
    const unset = schema.safeParse(undefined).data;
    const shown = defaultOf(schema);
    if (shown !== '') expect(schema.parse(shown), name).toEqual(unset);
    else expect([undefined, null, '{}', '[]'], name).toContain(unset && JSON.stringify(unset));
  }
});
