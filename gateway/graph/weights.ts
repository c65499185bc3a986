// What fields weigh, as the contracts say it by `@cost` and `@listSize`, which the supergraph carries. Both are written as in IBM's cost specification
// (https://ibm.github.io/graphql-specs/cost-spec.html), with one thing more: `@listSize` on a field that is no list says how much the field makes.
import { type ConstDirectiveNode, valueFromASTUntyped } from 'graphql';
import { type DeclaredField, directiveOf } from '../../schema/declared-fields.ts';

export interface FieldWeight {
  /** What one element of the field costs; undefined: by its type. */
  weight: number | undefined;
  /** Whether the contract says how many elements there are. */
  sized: boolean;
  /** Paths of arguments that say how many, the first word is the argument's name: `input.quantity`. */
  slicing: readonly (readonly string[])[];
  /** How many without such an argument; undefined: as many as are assumed of any list. */
  assumedSize: number | undefined;
  /** The lists of the field's type that the number is of; empty: of the field itself. */
  sizedFields: readonly string[];
}

/** `Type.field` -> what the contract says of the field. */
export type Weights = ReadonlyMap<string, FieldWeight>;

/** Reads the weights of a supergraph's fields. */
export function weightsOf(fields: Iterable<DeclaredField>): Weights {
  const weights = new Map<string, FieldWeight>();
  for (const field of fields) {
    const [cost, listSize] = [directiveOf(field, 'cost'), directiveOf(field, 'listSize')];
    if (cost || listSize) weights.set(field.id, toWeight(cost, listSize));
  }
  return weights;
}

function toWeight(cost: ConstDirectiveNode | undefined, listSize: ConstDirectiveNode | undefined): FieldWeight {
  const given = (directive: ConstDirectiveNode | undefined, name: string): unknown => {
    const found = directive?.arguments?.find((argument) => argument.name.value === name);
    return found && valueFromASTUntyped(found.value);
  };
  const weight = given(cost, 'weight') as string | undefined;
  return {
    weight: weight === undefined ? undefined : Number(weight),
    sized: listSize !== undefined,
    slicing: ((given(listSize, 'slicingArguments') ?? []) as string[]).map((path) => path.split('.')),
    assumedSize: given(listSize, 'assumedSize') as number | undefined,
    sizedFields: (given(listSize, 'sizedFields') ?? []) as string[],
  };
}
