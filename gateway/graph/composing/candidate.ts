// Whether another graph may replace the present one: it composes, keeps what was published, lets nobody ask for more than before, and answers the documents that
// we know of. It takes seconds, so it runs in a thread of its own.
import { type GraphQLSchema, buildASTSchema } from 'graphql';
import { type Composed, compose } from '../../../schema/composition.ts';
import type { Contracts } from '../../../schema/contracts.ts';
import { declaredFields, directiveOf } from '../../../schema/declared-fields.ts';
import { publicDocument } from '../../../schema/public-sdl.ts';
import { tieredChanges } from '../../../schema/schema-change.ts';
import { StoredDocuments, textsIn } from '../../../schema/stored-documents.ts';
import type { GraphText } from '../graph.ts';

export interface CandidateQuestion {
  contracts: Contracts;
  /** The supergraph of the present graph. */
  present: string;
  /** The API as it was last published, with directives. */
  published: string;
  /** Documents of the dashboard. */
  documents: readonly string[];
  /** A folder of partners' documents. */
  folder: string | undefined;
}

export interface Candidate {
  /** Absent: it is refused. */
  graph?: GraphText;
  /** Why it is refused, a sentence each; empty: it is not. */
  refused: readonly string[];
  /** What it changes of the present graph, in sentences. */
  changes: readonly string[];
}

/** Reasons, and changes, that are told; the first ones say enough. */
const TOLD = 20;

/** What the present graph breaks already was judged when it was built, and is no reason against the next one. */
export function judgeCandidate(question: CandidateQuestion): Candidate {
  const { contracts, present, published } = question;
  let composed: Composed;
  try {
    composed = compose(contracts);
  } catch (error) {
    return { refused: (error as Error).message.split('\n').slice(0, TOLD), changes: [] };
  }
  const next = composed.supergraph;
  const refused = [
    ...lostGuards(present, next),
    ...without(breaksOf(published, next), () => breaksOf(published, present)),
    ...without(problemsOf(question, next), () => problemsOf(question, present)),
  ];
  const changes = tieredChanges(present, next)
    .slice(0, TOLD)
    .map(({ description }) => description);
  if (refused.length > 0) return { refused: refused.slice(0, TOLD), changes };
  return { graph: { supergraph: next, api: composed.api }, refused: [], changes };
}

/** Directives that keep callers from a field. */
const GUARDS = ['requiresScopes', 'session', 'staff'];

/** Opening a field to more callers takes a release of the gateway: contracts that were printed by code, such as those of an earlier program, have no guards. */
function lostGuards(present: string, next: string): string[] {
  const guards = new Map([...declaredFields(present)].map((field) => [field.id, GUARDS.filter((name) => directiveOf(field, name))]));
  return [...declaredFields(next)].flatMap((field) =>
    (guards.get(field.id) ?? []).filter((name) => !directiveOf(field, name)).map((name) => `${field.id} would lose @${name}.`),
  );
}

const breaksOf = (published: string, supergraph: string): string[] =>
  tieredChanges(published, supergraph)
    .filter(({ kind }) => kind === 'BREAKING')
    .map(({ description }) => `It breaks what was published: ${description}`);

function problemsOf({ documents, folder }: CandidateQuestion, supergraph: string): string[] {
  const schemaFor = (tier: 'staff' | 'partner'): GraphQLSchema => buildASTSchema(publicDocument(supergraph, tier), { assumeValid: true });
  const own = new StoredDocuments(documents.map((text) => ({ file: 'the dashboard', text })));
  const partners = folder === undefined ? undefined : new StoredDocuments(textsIn(folder));
  return [...own.problems(schemaFor('staff')), ...(partners?.problems(schemaFor('partner')) ?? [])].map(
    ({ file, operation, message }) => `It does not answer ${[operation, `of ${file}`].filter(Boolean).join(' ')}: ${message}`,
  );
}

const without = (found: readonly string[], known: () => readonly string[]): string[] => {
  if (found.length === 0) return [];
  const before = new Set(known());
  return found.filter((one) => !before.has(one));
};
