// The official conformance suite of the Model Context Protocol against our server, for both generations of the protocol, with the fixtures that it asks for.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { NOT_CONFORMING } from './not-conforming.ts';
import { type Outcome, runSuite } from './run-suite.ts';

const SUITE = fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));

/** Revision -> the most checks that may be listed, and the fewest that must pass: as it was seen with 0.2.0-alpha.12. */
const SEEN = { '2025-11-25': { listed: 12, passed: 59 }, '2026-07-28': { listed: 30, passed: 162 } };
const REVISIONS = Object.entries(SEEN);

const listed = (revision: string): string[] => (NOT_CONFORMING[revision] ?? []).flatMap(({ checks }) => checks).sort();

test.each(REVISIONS)('the list of what does not conform to %s only shrinks', (revision, seen) => {
  expect(listed(revision).length).toBeLessThanOrEqual(seen.listed);
});

describe.skipIf(!existsSync(SUITE))('with the suite, which npm ci installs', { timeout: 120_000 }, () => {
  test.each(REVISIONS)('%s: every check passes that is not listed, and none passes that is', async (revision, seen) => {
    const { passed, failed }: Outcome = await runSuite(SUITE, revision);
    expect(failed).toEqual(listed(revision));
    expect(passed).toBeGreaterThanOrEqual(seen.passed);
  });
});
