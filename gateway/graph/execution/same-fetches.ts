// What a plan's fetches have in common, found once: which of them ask the same, and which of their answers several objects can share.
import type { FetchNode, PlanNode, ResponsePath } from '@apollo/query-planner';
import { type DocumentNode, Kind, type SelectionSetNode, parse } from 'graphql';

export interface CommonFacts {
  /** The same text for fetches of entities that ask the same of them; undefined when no other fetch of the plan does, or when asking once is not the same. */
  question: string | undefined;
  /** Whether the fetch asks its entities for leaves alone. */
  flat: boolean;
  /** Composite fields of the fetch's entities which no other fetch adds to by way of the same objects, so that several objects may share one value. */
  shareable: ReadonlySet<string>;
}

interface Found extends Pick<CommonFacts, 'flat'> {
  question: string;
  path: string;
  /** The paths of all composite fields that the fetch answers. */
  composites: ReadonlySet<string>;
}

export function commonFactsOf(root: PlanNode | undefined): ReadonlyMap<FetchNode, CommonFacts> {
  const found = new Map<FetchNode, Found>();
  collect(root, [], found);
  const questions = new Map<string, number>();
  const writers = new Map<string, number>();
  for (const { question, composites } of found.values()) {
    questions.set(question, (questions.get(question) ?? 0) + 1);
    for (const path of composites) writers.set(path, (writers.get(path) ?? 0) + 1);
  }
  const fetches = [...found.keys()];
  // A mutation must not be answered from before it; a rewrite changes an answer in place, and its names.
  const mutates = fetches.some(({ operationKind }) => operationKind === 'mutation');
  const rewrites = fetches.some(({ outputRewrites }) => outputRewrites?.length);
  return new Map(
    [...found].map(([node, { question, path, composites, flat }]) => {
      const own = [...composites].filter((each) => parentOf(each) === path && writers.get(each) === 1);
      const asked = node.requires && flat && !mutates && !rewrites && (questions.get(question) ?? 0) > 1;
      return [
        node,
        {
          question: asked ? question : undefined,
          flat: flat && !rewrites,
          shareable: new Set(rewrites ? [] : own.map((each) => each.slice(path.length + 1))),
        },
      ];
    }),
  );
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('.')));

function collect(node: PlanNode | undefined, path: ResponsePath, found: Map<FetchNode, Found>): void {
  if (!node) return;
  if (node.kind === 'Sequence' || node.kind === 'Parallel') for (const child of node.nodes) collect(child, path, found);
  else if (node.kind === 'Flatten') collect(node.node, [...path, ...node.path], found);
  else if (node.kind === 'Condition') for (const clause of [node.ifClause, node.elseClause]) collect(clause, path, found);
  else if (node.kind === 'Fetch') found.set(node, look(node, path.filter((element) => element !== '@').join('.')));
}

function look(node: FetchNode, path: string): Found {
  const { serviceName, operation: text, operationName, requires } = node;
  const nameless = operationName ? text.replace(` ${operationName}`, '') : text;
  const composites = compositesOf(parse(text, { noLocation: true }), path, requires !== undefined);
  return { question: `${serviceName} ${nameless}`, path, composites, flat: composites.size === 0 };
}

/** `ofEntities`: the answer is in the operation's only field, `_entities`. */
function compositesOf(document: DocumentNode, start: string, ofEntities: boolean): Set<string> {
  const paths = new Set<string>();
  const walk = (set: SelectionSetNode, path: string): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, path);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        for (const definition of document.definitions)
          if (definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value)
            walk(definition.selectionSet, path);
      } else if (selection.selectionSet) {
        const inner = `${path === '' ? '' : `${path}.`}${(selection.alias ?? selection.name).value}`;
        paths.add(inner);
        walk(selection.selectionSet, inner);
      }
    }
  };
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const [first] = definition.selectionSet.selections;
    if (!ofEntities) walk(definition.selectionSet, start);
    else if (first?.kind === Kind.FIELD && first.selectionSet) walk(first.selectionSet, start);
  }
  return paths;
}
