// What an operation asks of one type: its fields with those of fragments, each once, and the conditions under which they count.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  isAbstractType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

export type Variables = Record<string, unknown>;
export type Condition = (variables: Variables) => boolean;

/** A selection set, and the condition of `@skip` and `@include` under which it is part of the answer. */
export type Part = readonly [SelectionSetNode, Condition | undefined];

export interface SelectedField {
  /** The field's name in the answer. */
  key: string;
  name: string;
  /** All selections of the field. */
  nodes: readonly FieldNode[];
  condition: Condition | undefined;
  /** What is asked of the field's value. */
  parts: readonly Part[];
}

export class Selections {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.schema = schema;
    this.fragments = new Map(
      document.definitions.flatMap((node): [string, FragmentDefinitionNode][] =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
      ),
    );
  }

  /** The fields that the operation asks of one type, including those of fragments, each once. */
  fieldsOf(type: GraphQLNamedType, parts: readonly Part[]): SelectedField[] {
    const found = new Map<string, { name: string; nodes: FieldNode[]; condition: Condition | undefined; parts: Part[] }>();
    const collect = (set: SelectionSetNode, outer: Condition | undefined): void => {
      for (const selection of set.selections) {
        const condition = both(outer, conditionOf(selection));
        if (selection.kind !== Kind.FIELD) {
          const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(selection.name.value) : selection;
          if (fragment && this.#applies(fragment.typeCondition?.name.value, type)) collect(fragment.selectionSet, condition);
          continue;
        }
        const key = selection.alias?.value ?? selection.name.value;
        const known = found.get(key);
        if (known) known.condition = either(known.condition, condition);
        const field = known ?? { name: selection.name.value, nodes: [], condition, parts: [] };
        field.nodes.push(selection);
        if (selection.selectionSet) field.parts.push([selection.selectionSet, condition]);
        found.set(key, field);
      }
    };
    for (const [set, condition] of parts) collect(set, condition);
    return [...found].map(([key, field]) => ({ key, ...field }));
  }

  #applies(condition: string | undefined, type: GraphQLNamedType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const conditional = this.schema.getType(condition);
    return isAbstractType(conditional) && (isObjectType(type) || isInterfaceType(type)) && this.schema.isSubType(conditional, type);
  }

  /** The type of a field, but not of those for introspection. */
  typeOf(parent: GraphQLNamedType, name: string): GraphQLOutputType {
    const type = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
    if (!type) throw new Error(`the graph has no ${parent.name}.${name}`);
    return type;
  }

  /** The name of the type that an object of the data has; undefined when the API's schema has no object type of the given name. */
  typeNameOf(given: unknown, parent: GraphQLNamedType): string | undefined {
    const type = typeof given === 'string' ? (this.schema.getType(given) ?? parent) : parent;
    return isObjectType(type) ? type.name : undefined;
  }
}

/** The condition of a selection's `@skip` and `@include`; undefined when the selection always counts. */
function conditionOf({ directives }: SelectionNode): Condition | undefined {
  let condition: Condition | undefined;
  for (const directive of directives ?? []) {
    const wanted = directive.name.value === 'include' ? true : directive.name.value === 'skip' ? false : undefined;
    const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value;
    if (wanted === undefined || !value) continue;
    if (value.kind === Kind.VARIABLE) condition = both(condition, (variables) => Boolean(variables[value.name.value]) === wanted);
    else if (value.kind === Kind.BOOLEAN) condition = both(condition, () => value.value === wanted);
  }
  return condition;
}

const both = (a: Condition | undefined, b: Condition | undefined): Condition | undefined =>
  a && b ? (variables) => a(variables) && b(variables) : (a ?? b);
const either = (a: Condition | undefined, b: Condition | undefined): Condition | undefined =>
  a && b ? (variables) => a(variables) || b(variables) : undefined;
