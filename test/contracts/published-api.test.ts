import { readFileSync } from 'node:fs';
import { buildASTSchema, buildSchema, findBreakingChanges, parse, visit } from 'graphql';
import { expect, test } from 'vitest';
import { apiSdl, compose, pagesSdl, publishedSdl, supergraphSdl } from '../../schema/compose.ts';

test('the committed supergraph and API schema are what the four contracts compose to', () => {
  const { supergraph, api, pages } = compose();
  expect(supergraphSdl(), 'run: npm run compose').toBe(supergraph);
  expect(apiSdl(), 'run: npm run compose').toBe(api);
  expect(pagesSdl(), 'run: npm run compose').toBe(pages);
});

/** The lines under every heading "Breaking" of the change log, without their bullets. */
const announced = (): string[] => {
  const changeLog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const sections = changeLog.split(/^#+ +/m).filter((section) => /^breaking\s*$/im.test(section.split('\n')[0] ?? ''));
  return sections.flatMap((section) =>
    section
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^[-*] +/, '').trim())
      .filter(Boolean),
  );
};

test('a breaking change of the published API has a line in the change log', () => {
  const changes = findBreakingChanges(buildSchema(publishedSdl()), buildSchema(apiSdl())).map(({ description }) => description);
  const silent = changes.filter((description) => !announced().includes(description));
  expect(silent, 'each needs its exact line under "Breaking" in CHANGELOG.md').toEqual([]);
});

test('a removed field is found', () => {
  const before = parse(publishedSdl());
  const after = visit(before, { FieldDefinition: ({ name }) => (name.value === 'staticSubscriptions' ? null : undefined) });
  expect(findBreakingChanges(buildASTSchema(before), buildASTSchema(after)).map(({ description }) => description)).toEqual([
    'Query.staticSubscriptions was removed.',
  ]);
});
