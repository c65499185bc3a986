// `npm run compose -- --check`: what the contracts would make of the published API and of those who build on it. It writes nothing.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { buildASTSchema } from 'graphql';
import { type Composed, compose } from './composition.ts';
import { type Contracts, apiSdl, pagesSdl, publishedSdl, supergraphSdl, writtenContracts } from './contracts.ts';
import { printEvents, printedEvents } from './print-events.ts';
import { type Tier, publicDocument } from './public-sdl.ts';
import { type ChangeKind, type TieredChange, tieredChanges } from './schema-change.ts';
import { type DocumentProblem, StoredDocuments, type StoredText, dashboardTexts, textsIn } from './stored-documents.ts';

export interface CheckedDocuments {
  /** Whose: `the dashboard`, or the folder's name. */
  from: string;
  operations: number;
  problems: DocumentProblem[];
}

export interface CheckReport {
  /** Why the contracts do not compose; then nothing else was looked at. */
  faults: string[];
  /** Each written file, and whether it says what the contracts do. */
  files: { file: string; agrees: boolean }[];
  /** What differs from the published API. `announced`: of a breaking one, whether the change log has its line. */
  changes: (TieredChange & { announced?: boolean })[];
  documents: CheckedDocuments[];
}

interface CheckOptions {
  /** Folders of partners' documents, which are checked against what an API key sees. */
  folders?: readonly string[];
  /** Default: the files. */
  contracts?: Contracts;
  published?: string;
  changeLog?: string;
}

/** Throws for a folder without documents and for a file in it that has none. */
export function checkContracts(options: CheckOptions = {}): CheckReport {
  const { folders = [], contracts = writtenContracts(), published = publishedSdl(), changeLog = writtenChangeLog() } = options;
  let composed: Composed;
  try {
    composed = compose(contracts);
  } catch (error) {
    return { faults: (error as Error).message.split('\n'), files: [], changes: [], documents: [] };
  }
  const announced = new Set(announcedIn(changeLog));
  return {
    faults: [],
    files: [
      { file: 'supergraph.graphql', agrees: composed.supergraph === supergraphSdl() },
      { file: 'api.graphql', agrees: composed.api === apiSdl() },
      { file: 'pages.graphql', agrees: composed.pages === pagesSdl() },
      { file: 'events.txt', agrees: printEvents() === printedEvents() },
    ],
    changes: tieredChanges(published, composed.supergraph).map((change) =>
      change.kind === 'BREAKING' ? { ...change, announced: announced.has(change.description) } : change,
    ),
    documents: [
      checked('the dashboard', dashboardTexts(), composed.supergraph, 'staff'),
      ...folders.map((folder) => checked(basename(folder), textsIn(folder), composed.supergraph, 'partner')),
    ],
  };
}

/** Whether everything may stay as it is. */
export const isFine = (report: CheckReport): boolean =>
  report.faults.length === 0 &&
  report.files.every(({ agrees }) => agrees) &&
  silentBreaks(report).length === 0 &&
  report.documents.every(({ problems }) => problems.length === 0);

/** Breaking changes that the change log does not have. */
export const silentBreaks = ({ changes }: CheckReport): string[] =>
  changes.filter(({ announced }) => announced === false).map(({ description }) => description);

function checked(from: string, texts: readonly StoredText[], supergraph: string, tier: Tier): CheckedDocuments {
  const documents = new StoredDocuments(texts);
  return {
    from,
    operations: documents.operations.length,
    problems: documents.problems(buildASTSchema(publicDocument(supergraph, tier), { assumeValid: true })),
  };
}

const writtenChangeLog = (): string => readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');

/** The lines under every heading "Breaking" of a change log, without their bullets. */
export function announcedIn(changeLog: string): string[] {
  const sections = changeLog.split(/^#+ +/m).filter((section) => /^breaking\s*$/im.test(section.split('\n')[0] ?? ''));
  return sections.flatMap((section) =>
    section
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^[-*] +/, '').trim())
      .filter(Boolean),
  );
}

const TITLES: Readonly<Record<ChangeKind, string>> = { BREAKING: 'breaking', RISKY: 'risky', ADDED: 'added' };

/** The report for people. */
export function printReport(report: CheckReport): string {
  const { faults, files, changes, documents } = report;
  if (faults.length > 0) return ['The contracts do not compose:', ...faults.map((fault) => `  ${fault}`), ''].join('\n');
  const of = (wanted: ChangeKind) => changes.filter(({ kind }) => kind === wanted);
  const stale = files.filter(({ agrees }) => !agrees).map(({ file }) => file);
  const lines = [
    stale.length > 0 ? `Written files: run npm run compose: ${stale.join(', ')}` : `Written files: as composed (${files.length})`,
    `Published API: ${of('BREAKING').length} breaking, ${of('RISKY').length} risky, ${of('ADDED').length} added`,
    ...changes.map(toLine),
    ...documents.flatMap(({ from, operations, problems }) => [
      `Documents of ${from}: ${operations} operations, ${problems.length === 0 ? 'all valid' : `${problems.length} problems`}`,
      ...problems.map(({ file, operation, message }) => `  WRONG  ${file}${operation === undefined ? '' : ` (${operation})`}: ${message}`),
    ]),
    isFine(report) ? 'ok' : 'WRONG: see the lines above.',
  ];
  const silent = silentBreaks(report).length;
  if (silent > 0) lines.push(`${silent} breaking changes need their exact line under "Breaking" in CHANGELOG.md.`);
  return `${lines.join('\n')}\n`;
}

function toLine({ kind, description, reason, announced, tiers }: CheckReport['changes'][number]): string {
  const mark = announced === false ? 'WRONG' : '     ';
  const word = announced ? `${TITLES[kind]}, announced` : TITLES[kind];
  return `  ${mark}  ${word}: ${description}${reason === undefined ? '' : ` ${reason}`}${tiers.includes('customer') ? '' : ` (${tiers.join(', ')})`}`;
}
