// The limits of an operation, checked before anything is planned. The dashboard's largest operation uses about a tenth of them.
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  Kind,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  isInterfaceType,
  type GraphQLNamedType,
  type FragmentDefinitionNode,
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
  /** See costOf. */
  cost: 20_000,
} as const;

interface Shape {
  depth: number;
  aliases: number;
  directives: number;
  fields: number;
}

const fragmentsOf = (document: DocumentNode): Map<string, FragmentDefinitionNode> =>
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

/** Arguments that set the length of a list. */
const SLICING = ['first', 'last', 'limit'] as const;
/** Length that is assumed for a list without such an argument: four of them, nested, are 10,000 objects. */
const ASSUMED_LENGTH = 10;
/** Of one proxy line: ten lines are as much work as one object. */
const LINE_WEIGHT = 0.1;
/** Fields that generate proxy lines, up to 10,000 each, with the path of the argument that says how many; a repeated batch has no such argument. */
const MAX_LINES = 10_000;
const GENERATING: Readonly<Record<string, readonly string[] | undefined>> = {
  residentialProxies: ['input', 'quantity'],
  residentialProxyBatch: [],
};
const MUTATION_WEIGHT = 10;
const INTROSPECTION_WEIGHT = 100;

type Variables = Record<string, unknown>;
/** A number or, where a variable decides, a function of the variables. */
type Cost = number | ((variables: Variables) => number);

const at = (cost: Cost, variables: Variables): number => (typeof cost === 'number' ? cost : cost(variables));
const plus = (a: Cost, b: Cost): Cost => (typeof a === 'number' && typeof b === 'number' ? a + b : (v) => at(a, v) + at(b, v));
const times = (a: Cost, b: Cost): Cost => (typeof a === 'number' && typeof b === 'number' ? a * b : (v) => at(a, v) * at(b, v));

/**
 * The cost of an operation: one for each object that it can return, where an object in a list counts as often as the list's slicing argument says (10 times without
 * one), one for each ten proxy lines, ten for each mutation, 100 for an introspection. The list in a page counts with the slicing argument of the page.
 * Fragments count whole, whatever the type of the object.
 */
export function costOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Cost {
  const fragments = fragmentsOf(document);
  const root = schema.getRootType(operation.operation);

  function ofSet(set: SelectionSetNode, parent: GraphQLNamedType, asked: Cost | undefined): Cost {
    let sum: Cost = 0;
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        sum = plus(sum, ofField(node, parent, asked));
        continue;
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      if (!fragment) continue;
      const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
      sum = plus(sum, ofSet(fragment.selectionSet, condition ?? parent, asked));
    }
    return sum;
  }

  function ofField(node: FieldNode, parent: GraphQLNamedType, asked: Cost | undefined): Cost {
    if (node.name.value.startsWith('__')) return node.selectionSet ? INTROSPECTION_WEIGHT : 0;
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (!field || !node.selectionSet) return 0;
    const named = getNamedType(field.type);
    if (!isCompositeType(named)) return 0;
    const own = slicing(node, operation);
    const isList = isListType(getNullableType(field.type));
    const inner = plus(1, ofSet(node.selectionSet, named, isList ? undefined : own));
    const path = parent === root ? GENERATING[node.name.value] : undefined;
    const lines = path ? times(LINE_WEIGHT, linesOf(node, path)) : 0;
    return isList ? times(own ?? asked ?? ASSUMED_LENGTH, inner) : plus(lines, inner);
  }

  if (!root) return 0;
  const weight = operation.operation === 'mutation' ? MUTATION_WEIGHT * operation.selectionSet.selections.length : 0;
  return plus(weight, ofSet(operation.selectionSet, root, undefined));
}

/** The most lines that a field can generate: the value of the argument at `path`, in the document or in its variables. */
function linesOf(node: FieldNode, path: readonly string[]): Cost {
  const [first, ...inner] = path;
  let value = node.arguments?.find((argument) => argument.name.value === first)?.value;
  const rest = [...inner];
  while (value?.kind === Kind.OBJECT) {
    const name = rest.shift();
    value = value.fields.find((field) => field.name.value === name)?.value;
  }
  if (value?.kind === Kind.INT) return within(Number(value.value));
  if (value?.kind !== Kind.VARIABLE) return MAX_LINES;
  const variable = value.name.value;
  return (variables) => {
    const given = rest.reduce<unknown>((at, name) => (at as Variables | null | undefined)?.[name], variables[variable]);
    return typeof given === 'number' ? within(given) : MAX_LINES;
  };
}

/** A number outside of the range is refused later and generates nothing. */
const within = (lines: number): number => Math.min(MAX_LINES, Math.max(0, lines));

function slicing(node: FieldNode, operation: OperationDefinitionNode): Cost | undefined {
  for (const name of SLICING) {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    if (value?.kind === Kind.INT) return Math.max(0, Number(value.value));
    if (value?.kind !== Kind.VARIABLE) continue;
    const variable = value.name.value;
    if (!operation.variableDefinitions?.some((definition) => definition.variable.name.value === variable)) continue;
    return (variables) => {
      const given = variables[variable];
      return typeof given === 'number' ? Math.max(0, given) : ASSUMED_LENGTH;
    };
  }
  return undefined;
}

export type Introspection = 'NONE' | 'SOME' | 'ALONE';

interface Operation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

/** The names of an operation's root fields, with every fragment written out; a field that is asked for twice is listed twice. */
function rootFields({ document, operation }: Operation): string[] {
  const fragments = fragmentsOf(document);
  const ofSet = (set: SelectionSetNode): string[] =>
    set.selections.flatMap((node) => {
      if (node.kind === Kind.FIELD) return [node.name.value];
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
      return fragment ? ofSet(fragment.selectionSet) : [];
    });
  return ofSet(operation.selectionSet);
}

/** Whether a valid operation asks for the schema. ALONE: for nothing else and without variables, so that its answer is the same for everybody. */
export function introspectionOf(operation: Operation): Introspection {
  const names = rootFields(operation);
  if (!names.includes('__schema') && !names.includes('__type')) return 'NONE';
  const alone = names.every((name) => name.startsWith('__')) && !operation.operation.variableDefinitions?.length;
  return alone ? 'ALONE' : 'SOME';
}

/** How many times a valid operation generates proxy lines: each alias is a generation of its own. */
export const generationsOf = (operation: Operation): number =>
  rootFields(operation).filter((name) => Object.hasOwn(GENERATING, name)).length;

/** The cost with these variables, rounded up. Throws `query_refused` when it is above the limit. */
export function checkCost(cost: Cost, variables: Variables): number {
  const requested = Math.ceil(at(cost, variables));
  if (requested > LIMITS.cost)
    throw fail(
      'query_refused',
      {},
      `The operation asks for too much at once: it costs ${requested}, and at most ${LIMITS.cost} are answered. Ask for shorter lists.`,
    );
  return requested;
}

export type { Cost };
