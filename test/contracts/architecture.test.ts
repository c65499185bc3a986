import { describe, expect, test } from 'vitest';
import { BREACHES } from './breaches.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { RULES, broken, files } from './house-rules.ts';
import { readSource } from './source-files.ts';

describe.each(RULES)('%s', (title, rule, path, offence) => {
  test('holds, but for what is known to break it', () => {
    expect(broken(rule)).toEqual(BREACHES[title] ?? []);
  });

  test('would be seen to be broken', () => {
    expect(broken(rule, [readSource(path, offence)])).toHaveLength(1);
  });
});

test('the rules look at the whole server', () => {
  for (const room of [
    'subgraphs/shared/platform/clock.ts',
    'gateway/graph/gateway.ts',
    'rest-adapter/rest.ts',
    ...SUBGRAPHS.map((name) => `subgraphs/${name}/subgraph.ts`),
  ])
    expect(files.map(({ path }) => path)).toContain(room);
});
