// What an operation costs: a sum over its fields, made once per document, that needs only the variables.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
} from 'graphql';
import { fail } from '#platform/errors.ts';
import { LIMITS, fragmentsOf } from './limits.ts';
import type { FieldWeight, Weights } from './weights.ts';

/** What weighs so much where the contract says nothing else. */
export const DEFAULT_WEIGHTS = {
  object: 1,
  /** Of a list of texts, numbers or the like, one of them. */
  listed: 0.1,
  /** Elements of a list of which nothing says how long it is: four such lists, nested, are 10,000 objects. */
  size: 10,
  mutation: 10,
  introspection: 100,
} as const;
type Variables = Record<string, unknown>;
/** A number or, where a variable decides, a function of the variables. */
export type Cost = number | ((variables: Variables) => number);

const at = (cost: Cost, variables: Variables): number => (typeof cost === 'number' ? cost : cost(variables));
/** The same of two costs: at once where no variable decides. */
const lifted =
  (of: (a: number, b: number) => number) =>
  (a: Cost, b: Cost): Cost =>
    typeof a === 'number' && typeof b === 'number' ? of(a, b) : (variables) => of(at(a, variables), at(b, variables));
const plus = lifted((a, b) => a + b);
const times = lifted((a, b) => a * b);
const greater = lifted(Math.max);
const lesser = lifted(Math.min);

/** How many elements the lists of an object have, where an argument of the field above says it. */
interface Asked {
  size: Cost;
  fields: readonly string[];
}

export interface CostedSchema {
  apiSchema: GraphQLSchema;
  weights: Weights;
}

/**
 * The cost of an operation: the weight of each field, once for each element that the field can have. An object weighs 1, an element of a list of values 0.1, a
 * single value nothing, unless the contract says another weight (`@cost`). How many elements there are is said by an argument, with its default value, or assumed by
 * the contract (`@listSize`), else they are 10. Each alias counts, fragments count whole, whatever the type of the object. A mutation weighs 10 more, an introspection
 * 100.
 */
export function costOf({ apiSchema: schema, weights }: CostedSchema, document: DocumentNode, operation: OperationDefinitionNode): Cost {
  const root = schema.getRootType(operation.operation);
  if (!root) return 0;
  const weight = operation.operation === 'mutation' ? DEFAULT_WEIGHTS.mutation * operation.selectionSet.selections.length : 0;
  return plus(weight, new Weighing(schema, weights, fragmentsOf(document)).ofSet(operation.selectionSet, root, undefined));
}

class Weighing {
  readonly #schema: GraphQLSchema;
  readonly #weights: Weights;
  readonly #fragments: Map<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, weights: Weights, fragments: Map<string, FragmentDefinitionNode>) {
    this.#schema = schema;
    this.#weights = weights;
    this.#fragments = fragments;
  }

  ofSet(set: SelectionSetNode, parent: GraphQLNamedType, asked: Asked | undefined): Cost {
    let sum: Cost = 0;
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        sum = plus(sum, this.#ofField(node, parent, asked));
        continue;
      }
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(node.name.value) : node;
      if (!fragment) continue;
      const condition = fragment.typeCondition && this.#schema.getType(fragment.typeCondition.name.value);
      sum = plus(sum, this.ofSet(fragment.selectionSet, condition ?? parent, asked));
    }
    return sum;
  }

  #ofField(node: FieldNode, parent: GraphQLNamedType, asked: Asked | undefined): Cost {
    const name = node.name.value;
    if (name.startsWith('__')) return node.selectionSet ? DEFAULT_WEIGHTS.introspection : 0;
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
    if (!field) return 0;
    const said = this.#weights.get(`${parent.name}.${name}`);
    const named = getNamedType(field.type);
    const isList = isListType(getNullableType(field.type));
    const byType = isCompositeType(named) ? DEFAULT_WEIGHTS.object : isList ? DEFAULT_WEIGHTS.listed : 0;
    const size = said?.sized ? sizeOf(node, field, said) : undefined;
    const asks = size !== undefined && said && said.sizedFields.length > 0 ? { size, fields: said.sizedFields } : undefined;
    const inner = node.selectionSet && isCompositeType(named) ? this.ofSet(node.selectionSet, named, asks) : 0;
    if (isList) {
      const above = asked?.fields.includes(name) ? asked.size : undefined;
      return times((asks ? undefined : size) ?? above ?? DEFAULT_WEIGHTS.size, plus(said?.weight ?? byType, inner));
    }
    // What makes many of something weighs as many, whatever is asked of it, besides the object itself. More than it may is refused there, and makes nothing.
    if (size !== undefined && !asks)
      return plus(times(said?.weight ?? byType, lesser(said?.assumedSize ?? Infinity, size)), plus(byType, inner));
    return plus(said?.weight ?? byType, inner);
  }
}

/** How many elements the arguments of a field ask for: the most that one of them says. */
function sizeOf(
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  { slicing, assumedSize = DEFAULT_WEIGHTS.size }: FieldWeight,
): Cost {
  const sizes = slicing.map((path): Cost => {
    const [name = '', ...rest] = path;
    const written = node.arguments?.find((argument) => argument.name.value === name)?.value;
    const byDefault = field.args.find((argument) => argument.name === name)?.defaultValue;
    return written ? sizeAt(written, rest, byDefault, assumedSize) : sizeOfValue(byDefault, rest, assumedSize);
  });
  if (sizes.length === 0) return assumedSize;
  return sizes.reduce((one, other) => greater(one, other));
}

/** The size that a literal says at a path within it, or a variable in it. */
function sizeAt(written: ValueNode, path: readonly string[], byDefault: unknown, assumed: number): Cost {
  let value: ValueNode | undefined = written;
  const rest = [...path];
  while (value?.kind === Kind.OBJECT) {
    const name = rest.shift();
    value = value.fields.find((field) => field.name.value === name)?.value;
  }
  if (value?.kind === Kind.INT) return Math.max(0, Number(value.value));
  if (value?.kind === Kind.LIST) return value.values.length;
  if (value?.kind !== Kind.VARIABLE) return assumed;
  const variable = value.name.value;
  return (variables) => sizeOfValue(Object.hasOwn(variables, variable) ? variables[variable] : byDefault, rest, assumed);
}

function sizeOfValue(value: unknown, path: readonly string[], assumed: number): number {
  const given = path.reduce<unknown>((within, name) => (within as Variables | null | undefined)?.[name], value);
  if (Array.isArray(given)) return given.length;
  return typeof given === 'number' ? Math.max(0, given) : assumed;
}

/** How many times a valid operation makes proxy lines: each alias of a field that weighs by what it makes is a generation of its own. */
export const generationsOf = ({ apiSchema, weights }: CostedSchema, roots: readonly FieldNode[]): number => {
  const fields = apiSchema.getQueryType()?.getFields() ?? {};
  return roots.filter(({ name: { value: name } }) => {
    const [said, type] = [weights.get(`Query.${name}`), fields[name]?.type];
    return said?.sized === true && said.sizedFields.length === 0 && type !== undefined && !isListType(getNullableType(type));
  }).length;
};

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
