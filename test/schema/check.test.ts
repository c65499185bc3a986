import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CheckReport, announcedIn, checkContracts, isFine, printReport, silentBreaks } from '../../schema/check.ts';
import { type Contracts, contractOf, writtenContracts } from '../../schema/contracts.ts';
import { textsIn } from '../../schema/stored-documents.ts';
import type { SubgraphName } from '../../schema/subgraphs.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'egress-documents-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const GOOD = 'query Plans { residentialPlans { ...Plan } }';

/** The contracts, of which one says something else. */
const changed = (name: SubgraphName, from: RegExp, to: string): Contracts => ({
  ...writtenContracts(),
  [name]: contractOf(name).replace(from, to),
});

describe('of a contract without a field that was published', () => {
  let report: CheckReport;
  beforeAll(() => {
    writeFileSync(join(folder, 'plans.graphql'), GOOD);
    writeFileSync(join(folder, 'plan.gql'), 'fragment Plan on ResidentialPlan { id status }');
    writeFileSync(join(folder, 'servers.json'), JSON.stringify({ abc: '{ servers { id name } }', def: '{ staticSubscriptions { id } }' }));
    report = checkContracts({
      contracts: changed('static', /\n[^\n]*\n[^\n]*staticSubscriptions[^\n]*/, ''),
      folders: [folder],
      changeLog: '## Breaking\n\n- Query.residentialPlans changed type from [ResidentialPlan!]! to [ResidentialPlan!].\n',
    });
  });

  test('the written files are stale, and the break is not announced', () => {
    expect(report.faults).toEqual([]);
    expect(report.files.filter(({ agrees }) => !agrees).map(({ file }) => file)).toEqual([
      'supergraph.graphql',
      'api.graphql',
      'pages.graphql',
    ]);
    expect(silentBreaks(report)).toContain('Query.staticSubscriptions was removed.');
    expect(silentBreaks(report)).not.toContain('Query.residentialPlans changed type from [ResidentialPlan!]! to [ResidentialPlan!].');
    expect(isFine(report)).toBe(false);
  });

  test('whoever asks for it is named: a document of the dashboard, and one of a partner', () => {
    const [dashboard, partner] = report.documents;
    expect(dashboard?.from).toBe('the dashboard');
    expect(partner).toMatchObject({
      operations: 3,
      problems: [{ file: 'servers.json', message: expect.stringContaining('staticSubscriptions') }],
    });
  });

  test('the report says so in words', () => {
    const text = printReport(report);
    expect(text).toContain('Written files: run npm run compose: supergraph.graphql, api.graphql, pages.graphql\n');
    expect(text).toContain('  WRONG  breaking: Query.staticSubscriptions was removed. Documents that ask for it are refused.\n');
    expect(text).toContain('         breaking, announced: Query.residentialPlans changed type');
    expect(text).toContain('WRONG  servers.json: Cannot query field "staticSubscriptions"');
    expect(text).toMatch(/need their exact line under "Breaking" in CHANGELOG\.md\.\n$/);
  });
});

test('contracts that do not compose are told why, and nothing else', () => {
  const report = checkContracts({ contracts: changed('static', /type StaticPlan /, 'type StaticPlan @nonsense ') });
  expect(report.faults.join()).toContain('@nonsense');
  expect(isFine(report)).toBe(false);
  expect(printReport(report)).toMatch(/^The contracts do not compose:\n {2}/);
});

test('only sections called Breaking announce', () => {
  expect(announcedIn('# Changes\n\n- A.\n\n## Breaking\n\nWords.\n\n- B.\n* C.\n\n## Later\n\n- D.\n')).toEqual(['Words.', 'B.', 'C.']);
});

test('a partner’s documents may be a manifest or a list; another file and an empty folder are refused in words', () => {
  const own = mkdtempSync(join(folder, 'forms-'));
  expect(() => textsIn(own)).toThrow('has no .graphql, .gql or .json files.');
  writeFileSync(
    join(own, 'manifest.json'),
    JSON.stringify({ format: 'apollo-persisted-query-manifest', operations: [{ id: '1', body: 'A' }] }),
  );
  writeFileSync(join(own, 'list.json'), '["B"]');
  expect(textsIn(own)).toEqual([
    { file: 'list.json', text: 'B' },
    { file: 'manifest.json', text: 'A' },
  ]);
  writeFileSync(join(own, 'other.json'), '{"a":1}');
  expect(() => textsIn(own)).toThrow('other.json is neither a list or an object of documents');
});

describe('the command', () => {
  const run = (...more: string[]) => spawnSync(process.execPath, ['schema/compose.ts', ...more], { cwd: ROOT, encoding: 'utf8' });

  test('changes no file, and ends with 1 when a document is not valid any more', () => {
    const own = mkdtempSync(join(folder, 'partner-'));
    writeFileSync(join(own, 'wrong.graphql'), 'query Wrong { me { noSuchField } }');
    const written = () => readdirSync(join(ROOT, 'schema')).map((name) => [name, statSync(join(ROOT, 'schema', name)).mtimeMs]);
    const before = written();
    const { status, stdout } = run('--check', '--json', '--documents', own);
    expect(status).toBe(1);
    const report = JSON.parse(stdout) as CheckReport & { ok: boolean };
    expect(report.ok).toBe(false);
    expect(report.documents[1]?.problems).toEqual([
      { file: 'wrong.graphql', operation: 'Wrong', message: 'Cannot query field "noSuchField" on type "Account".' },
    ]);
    expect(written()).toEqual(before);
  });

  test.each([[['--documents', 'x']], [['--check', '--publish', '2026-01-01']], [['--publish', 'today']], [['--nonsense']]])(
    'refuses %j',
    (given) => {
      const { status, stderr } = run(...given);
      expect(status).toBe(1);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    },
  );
});
