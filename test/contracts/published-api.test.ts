// What `npm run compose -- --check` finds in the contracts as they are.
import { parse, print, visit } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { type CheckReport, checkContracts, isFine, silentBreaks } from '../../schema/check.ts';
import { publishedSdl } from '../../schema/contracts.ts';
import { tieredChanges } from '../../schema/schema-change.ts';

let report: CheckReport;
beforeAll(() => {
  report = checkContracts();
});

test('the written files are what the contracts compose to', () => {
  expect(report.faults).toEqual([]);
  expect(
    report.files.filter(({ agrees }) => !agrees).map(({ file }) => file),
    'run: npm run compose',
  ).toEqual([]);
  expect(report.files).toHaveLength(4);
});

test('a breaking change of the published API has a line in the change log', () => {
  expect(silentBreaks(report), 'each needs its exact line under "Breaking" in CHANGELOG.md').toEqual([]);
});

test('the documents of the dashboard are valid', () => {
  expect(report.documents).toEqual([{ from: 'the dashboard', operations: expect.any(Number), problems: [] }]);
  expect(report.documents[0]?.operations).toBeGreaterThan(100);
  expect(isFine(report)).toBe(true);
});

test('a removed field is found', () => {
  const after = visit(parse(publishedSdl()), {
    FieldDefinition: ({ name }) => (name.value === 'staticSubscriptions' ? null : undefined),
  });
  expect(tieredChanges(publishedSdl(), print(after))).toEqual([
    {
      kind: 'BREAKING',
      description: 'Query.staticSubscriptions was removed.',
      reason: 'Documents that ask for it are refused.',
      tiers: ['customer', 'partner', 'staff'],
    },
  ]);
});
