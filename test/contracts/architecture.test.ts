import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SUBGRAPH_DEFINITIONS } from '../../all-subgraphs.ts';
import { BREACHES, CIRCLES } from './breaches.ts';
import { circlesIn, importsOfAll } from './circles.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { RULES, broken, files } from './house-rules.ts';
import { NOUNS } from './import-rules.ts';
import { readSource } from './source-files.ts';

describe.each(RULES.map((rule) => [rule.title, rule] as const))('%s', (title, rule) => {
  test('holds, except for known breaches', () => {
    expect(broken(rule)).toEqual(BREACHES[title] ?? []);
  });

  test('finds an example of a breach', () => {
    expect(broken(rule, [readSource(rule.path, rule.offence)])).toHaveLength(1);
  });
});

test.each([
  'em.count(Plan, {})',
  'em.qb(Plan)',
  'em.fork().findOne(Plan, {})',
  'em.create(Plan, {})',
  'sql`select 1`',
  "runStatement(em, 'select 1')",
  'runPrepared(em, PLANS, [])',
])('a query that a service asks by itself is seen: %s', (query) => {
  const named = RULES.find(({ title }) => title === 'queries have names and stand in entities');
  const service = readSource('subgraphs/static/plans/services/x.ts', `export const x = (em) => ${query};`);
  expect(named?.rule(service)).toEqual(['1 queries']);
});

test('the list of subgraphs matches the folders and the names in the definitions', () => {
  const folders = readdirSync(new URL('../../subgraphs/', import.meta.url)).filter((name) => name !== 'shared');
  expect([...SUBGRAPHS].toSorted()).toEqual(folders.toSorted());
  expect(Object.values(SUBGRAPH_DEFINITIONS).map(({ name }) => name)).toEqual(Object.keys(SUBGRAPH_DEFINITIONS));
});

test.each(Object.entries(NOUNS))('each folder of %s has its place in the order of nouns', (room, nouns) => {
  const folders = readdirSync(new URL(`../../${room}/`, import.meta.url), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(new Set(folders.map(({ name }) => name).filter((name) => name !== 'commands'))).toEqual(new Set(nouns));
});

test('there are no import cycles between folders, except for those with a known reason', () => {
  expect(circlesIn(importsOfAll(files))).toEqual(CIRCLES);
  const both: Record<string, string[]> = {
    'gateway/http/front.ts': ['gateway/graph/plan.ts'],
    'gateway/graph/plan.ts': ['gateway/http/front.ts', 'zod'],
  };
  expect(circlesIn(new Map(Object.entries(both)))).toEqual(['gateway: graph, http']);
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
