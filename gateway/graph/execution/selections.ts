// What an operation asks of one type: its fields with those of fragments, each once, and the conditions under which they count.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  Kind,
  type OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

import { type Fields, readerOf } from './fields.ts';

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

  /** The type that an operation begins at. */
  rootOf(operation: OperationTypeNode): GraphQLObjectType {
    const type = this.schema.getRootType(operation);
    if (!type) throw new Error(`the graph has no ${operation}`);
    return type;
  }

  /** The type of a field, but not of those for introspection. */
  typeOf(parent: GraphQLNamedType, name: string): GraphQLOutputType {
    const type = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
    if (!type) throw new Error(`the graph has no ${parent.name}.${name}`);
    return type;
  }

  /** Answers a `__typename` that is asked for as `key`; undefined when the API's schema has no object type of the given name. */
  compileTypeName(parent: GraphQLNamedType, key: string): (from: Fields) => string | undefined {
    const read = readerOf(key);
    return (from) => {
      const given = read(from) ?? from['__typename'];
      const type = typeof given === 'string' ? (this.schema.getType(given) ?? parent) : parent;
      return isObjectType(type) ? type.name : undefined;
    };
  }

  /**
   * Finds what is compiled for the type of an object; undefined where the schema has no such type. It is compiled when the first object of the type arrives: an
   * interface may have many types that never occur.
   */
  byType<Compiled>(type: GraphQLNamedType, compile: (actual: GraphQLNamedType) => Compiled): (from: Fields) => Compiled | undefined {
    const known = new Map<string, Compiled>();
    const compileFor = (name: string): Compiled | undefined => {
      const actual = this.schema.getType(name);
      if (!isCompositeType(actual)) return undefined;
      const compiled = compile(actual);
      known.set(name, compiled);
      return compiled;
    };
    return (from) => {
      const given = from['__typename'];
      const name = typeof given === 'string' ? given : type.name;
      return known.get(name) ?? compileFor(name);
    };
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
