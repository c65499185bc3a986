// The contract of events: its committed print, compatible changes, and which subgraph appends and reads which events.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SUBGRAPH_DEFINITIONS } from '../../all-subgraphs.ts';
import { EVENTS, EVENTS_BY } from '../../schema/events.ts';
import { brokenEvents, listEvents, printEvents, printedEvents } from '../../schema/print-events.ts';
import { SUBGRAPHS, type SubgraphName } from '../../schema/subgraphs.ts';
import { nodesOf, sourceFiles } from './source-files.ts';

const heardBy = (name: SubgraphName): string[] => Object.keys(SUBGRAPH_DEFINITIONS[name].reactions);

test('the committed print matches the contract', () => {
  expect(printedEvents(), 'run: npm run compose').toBe(printEvents());
});

test('the contract removes nothing that was printed', () => {
  expect(brokenEvents(printedEvents(), printEvents())).toEqual([]);
});

test('types are resource.verb_past, and each says when it is appended', () => {
  for (const [type, { when }] of Object.entries(EVENTS)) {
    expect(type).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
    expect(when, type).toMatch(/^[A-Z].*\.$/);
  }
});

describe('the comparison', () => {
  const when = 'It happens.';
  const part = { id: z.string(), months: z.number().int() };
  const sold = { title: z.string(), until: z.iso.datetime().optional(), part: z.object(part).optional() };
  const print = (data: z.ZodRawShape, type = 'thing.sold') => printEvents({ [type]: { when, data: z.object(data) } });
  const before = print(sold);

  test.each<[string, string]>([
    ['other words', before.replace(when, 'It has happened.')],
    ['a new type', `${before}${print({ x: z.string() }, 'thing.found').split('\n').slice(2).join('\n')}`],
    ['a new optional field', print({ ...sold, note: z.string().optional() })],
    ['a new optional object', print({ ...sold, note: z.object({ text: z.string() }).optional() })],
    ['a new optional list', print({ ...sold, notes: z.array(z.object({ text: z.string() })).optional() })],
    ['a new optional field of an object', print({ ...sold, part: z.object({ ...part, note: z.string().optional() }).optional() })],
  ])('allows %s', (_, after) => {
    expect(brokenEvents(before, after)).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['a type that is gone', print(sold, 'thing.found'), 'thing.sold is gone'],
    ['a field that is gone', print({ until: sold.until, part: sold.part }), 'thing.sold has no more "title: string"'],
    ['a field of another type', print({ ...sold, title: z.number() }), 'thing.sold has no more "title: string"'],
    ['an instant that is any text', print({ ...sold, until: z.string().optional() }), 'thing.sold has no more "until?: instant"'],
    ['a field that may be absent now', print({ ...sold, title: z.string().optional() }), 'thing.sold has no more "title: string"'],
    ['a field that has to be there now', print({ ...sold, until: z.iso.datetime() }), 'thing.sold has no more "until?: instant"'],
    [
      'a field of an object that is gone',
      print({ ...sold, part: z.object({ id: z.string() }).optional() }),
      'thing.sold has no more "part?.months: integer"',
    ],
    [
      'a new field that has to be there',
      print({ ...sold, note: z.string() }),
      'thing.sold has a new field that is not optional: "note: string"',
    ],
    [
      'a new field of an object that has to be there',
      print({ ...sold, part: z.object({ ...part, note: z.string() }).optional() }),
      'thing.sold has a new field that is not optional: "part?.note: string"',
    ],
  ])('sees %s', (_, after, what) => {
    expect(brokenEvents(before, after)).toContain(what);
  });

  test('finds a field removed from any event of the contract', () => {
    for (const line of printEvents().matchAll(/^ {2}.*\n/gm))
      expect(brokenEvents(printEvents(), printEvents().replace(line[0], ''))).toHaveLength(1);
  });
});

describe.each(SUBGRAPHS)('%s', (name) => {
  const literals = new Set(
    sourceFiles()
      .filter(({ path }) => path.startsWith(`subgraphs/${name}/`))
      .flatMap(({ tree }) => [...nodesOf(tree)].filter((node) => ts.isStringLiteral(node)).map((node) => node.text)),
  );

  test('contains the full name of every event that it appends, so that a search finds it', () => {
    expect(Object.keys(EVENTS_BY[name]).filter((type) => !literals.has(type))).toEqual([]);
  });

  test('lists in its README the events that it appends and those that it reads', () => {
    const readme = readFileSync(new URL(`../../subgraphs/${name}/README.md`, import.meta.url), 'utf8');
    expect(readme).toContain(`\nAppended:\n\n${listEvents(Object.keys(EVENTS_BY[name]))}\n\nHeard:\n\n${listEvents(heardBy(name))}\n`);
  });

  test('reads events of others, not its own', () => {
    expect(heardBy(name).filter((type) => Object.hasOwn(EVENTS_BY[name], type))).toEqual([]);
  });
});
