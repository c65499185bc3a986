// The limits of an operation, checked before anything is planned. The dashboard's largest operation uses about a tenth of them.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { fail } from '#platform/errors.ts';

export const LIMITS = {
  /** Of a document. */
  characters: 32_768,
  tokens: 2_000,
  /** Nesting of fields; fields below `__schema` and `__type` do not count, since graphql-js has a limit of its own for them. */
  depth: 12,
  aliases: 30,
  directives: 30,
  /** With every fragment written out where it is used. */
  fields: 500,
  /** See costOf in cost.ts. */
  cost: 20_000,
} as const;

interface Shape {
  depth: number;
  aliases: number;
  directives: number;
  fields: number;
}

export const fragmentsOf = (document: DocumentNode): Map<string, FragmentDefinitionNode> =>
  new Map(document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])));

/** Refuses documents that are too deep or too wide with `query_refused`. Runs before validation, whose time grows with the square of the number of fields. */
export function checkShape(document: DocumentNode): void {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Shape>();
  const EMPTY: Shape = { depth: 0, aliases: 0, directives: 0, fields: 0 };

  function ofFragment(name: string): Shape {
    const shape = known.get(name);
    if (shape) return shape;
    // Set before the walk, so that a cycle of fragments ends here; validation refuses the cycle.
    known.set(name, EMPTY);
    const fragment = fragments.get(name);
    const walked = fragment ? ofSet(fragment.selectionSet) : EMPTY;
    known.set(name, walked);
    return walked;
  }

  function ofSet(set: SelectionSetNode): Shape {
    const shape = { ...EMPTY };
    for (const node of set.selections) {
      const directives = node.directives?.length ?? 0;
      let inner = EMPTY;
      if (node.kind === Kind.FRAGMENT_SPREAD) inner = ofFragment(node.name.value);
      else if (node.selectionSet) inner = ofSet(node.selectionSet);
      const field = node.kind === Kind.FIELD ? 1 : 0;
      const below = node.kind === Kind.FIELD && node.name.value.startsWith('__') ? 0 : inner.depth;
      shape.depth = Math.max(shape.depth, field + below);
      shape.aliases += inner.aliases + (node.kind === Kind.FIELD && node.alias ? 1 : 0);
      shape.directives += inner.directives + directives;
      shape.fields += inner.fields + field;
    }
    return shape;
  }

  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const shape = ofSet(node.selectionSet);
    for (const limit of ['depth', 'aliases', 'directives', 'fields'] as const) {
      if (shape[limit] > LIMITS[limit]) throw fail('query_refused', {}, `The operation has more than ${LIMITS[limit]} ${WORDS[limit]}.`);
    }
  }
}

const WORDS = { depth: 'levels', aliases: 'aliases', directives: 'directives', fields: 'fields' } as const;

export type Introspection = 'NONE' | 'SOME' | 'ALONE';

interface Operation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

/** An operation's root fields, with every fragment written out; a field that is asked for twice is listed twice. */
export function rootFields({ document, operation }: Operation): FieldNode[] {
  const fragments = fragmentsOf(document);
  const ofSet = (set: SelectionSetNode): FieldNode[] =>
    set.selections.flatMap((node) => {
      if (node.kind === Kind.FIELD) return [node];
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      return fragment ? ofSet(fragment.selectionSet) : [];
    });
  return ofSet(operation.selectionSet);
}

/** Whether a valid operation, with these root fields, asks for the schema. ALONE: for nothing else and without variables, so that its answer is the same for everybody. */
export function introspectionOf(operation: OperationDefinitionNode, roots: readonly FieldNode[]): Introspection {
  const names = roots.map(({ name }) => name.value);
  if (!names.includes('__schema') && !names.includes('__type')) return 'NONE';
  const alone = names.every((name) => name.startsWith('__')) && !operation.variableDefinitions?.length;
  return alone ? 'ALONE' : 'SOME';
}
