import { buildSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { publishedSdl } from '../../schema/contracts.ts';
import { digestOf, historyFor, printHistory, publications, withPublication } from '../../schema/publications.ts';

const DIRECTIVES = 'directive @session on FIELD_DEFINITION directive @staff(permission: String) on FIELD_DEFINITION';
const sdl = (fields: string) => `${DIRECTIVES} type Query { a: Int ${fields} }`;
const FIRST = { version: '0.1.0', on: '2026-01-01', sha256: digestOf(sdl('')), changes: [] };

describe('the committed history', () => {
  test('ends with the published API as it is', () => {
    expect(publications()[0]?.sha256, 'run: npm run compose -- --publish DAY').toBe(digestOf(publishedSdl()));
  });

  test('is in order, the newest first', () => {
    const days = publications().map(({ on }) => on);
    expect(days).toEqual(days.toSorted().toReversed());
    for (const day of days) expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe('a publication', () => {
  const after = sdl('b: Int c: Int @staff d: Int @session');
  const history = withPublication([FIRST], { before: sdl(''), after, version: '0.2.0', on: '2026-02-01' });

  test('is added with what it changes, for whom', () => {
    expect(history).toEqual([
      {
        version: '0.2.0',
        on: '2026-02-01',
        sha256: digestOf(after),
        changes: [
          { kind: 'ADDED', description: 'Query.b was added.', tiers: ['customer', 'partner', 'staff'] },
          { kind: 'ADDED', description: 'Query.c was added.', tiers: ['staff'] },
          { kind: 'ADDED', description: 'Query.d was added.', tiers: ['customer', 'staff'] },
        ],
      },
      FIRST,
    ]);
  });

  test('of what is published already adds nothing', () => {
    expect(withPublication(history, { before: after, after, version: '0.3.0', on: '2026-03-01' })).toBe(history);
  });

  test('is told to each kind of readers with what they see alone, beside what is not published yet', () => {
    const now = buildSchema('type Query { a: Int b: Int e: Int }');
    const partner = historyFor('partner', { sdl: after, publications: history }, now);
    expect(partner).toEqual({
      tier: 'partner',
      unpublished: [{ kind: 'ADDED', description: 'Query.e was added.' }],
      publications: [
        { version: '0.2.0', on: '2026-02-01', changes: [{ kind: 'ADDED', description: 'Query.b was added.' }] },
        { version: '0.1.0', on: '2026-01-01', changes: [] },
      ],
    });
    expect(printHistory(partner)).toBe(`# Changes of the GraphQL API, as API keys see it

## Not published yet

- added: Query.e was added.

## 0.2.0, published on 2026-02-01

- added: Query.b was added.

## 0.1.0, published on 2026-01-01

The first publication.
`);
  });
});
