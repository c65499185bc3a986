// Compiles an operation into a function that shapes the subgraphs' data into the answer: only the fields that were asked for, with nulls as the schema requires.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  executeSync,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type Fields, isFields, newFields } from './merge.ts';

type Variables = Record<string, unknown>;
type Condition = (variables: Variables) => boolean;

interface Shaping {
  variables: Variables;
  /** One for each place where the data does not fit the schema. */
  errors: GraphQLError[];
  path: (string | number)[];
}

export type Shape = (data: Fields, variables: Variables) => { data: Fields | null; errors: GraphQLError[] };

/** Stands for a null where the schema allows none: the nearest nullable place above becomes null. */
const BUBBLE = Symbol('bubble');
type Shaped = unknown | typeof BUBBLE;

/** Shapes one value; `present` is the value in the data, where null and undefined mean the same. */
type Complete = (present: unknown, shaping: Shaping) => Shaped;

interface Field {
  key: string;
  condition: Condition | undefined;
  /** Gets the whole object, since `__typename` may be asked for under an alias. */
  complete(from: Fields, shaping: Shaping): Shaped;
}

/** A selection set, and the condition of `@skip` and `@include` under which it is part of the answer. */
type Part = readonly [SelectionSetNode, Condition | undefined];

/** Returns the shaped object, or BUBBLE. */
type ShapeObject = (from: Fields, shaping: Shaping) => Shaped;

export const compileShape = (schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Shape =>
  new ShapeCompiler(schema, document, operation).compile();

/** Runs once for each operation. The functions that it returns look nothing up in the schema, except for types that they see for the first time. */
class ShapeCompiler {
  readonly #schema: GraphQLSchema;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#schema = schema;
    this.#operation = operation;
    this.#fragments = new Map(
      document.definitions.flatMap((node): [string, FragmentDefinitionNode][] =>
        node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
      ),
    );
  }

  compile(): Shape {
    const { operation, selectionSet } = this.#operation;
    const rootType = this.#schema.getRootType(operation);
    if (!rootType) throw new Error(`the graph has no ${operation}`);
    const root = this.#object(rootType, [[selectionSet, undefined]]);
    return (data, variables) => {
      const shaping: Shaping = { variables, errors: [], path: [] };
      const shaped = root(data, shaping);
      return { data: shaped === BUBBLE ? null : (shaped as Fields), errors: shaping.errors };
    };
  }

  #object(type: GraphQLNamedType, parts: readonly Part[]): ShapeObject {
    const fields = this.#fieldsOf(type, parts);
    return (from, shaping) => {
      const to = newFields();
      for (const { key, condition, complete } of fields) {
        if (condition && !condition(shaping.variables)) continue;
        shaping.path.push(key);
        const value = complete(from, shaping);
        shaping.path.pop();
        if (value === BUBBLE) return BUBBLE;
        to[key] = value;
      }
      return to;
    };
  }

  /** The fields that the operation asks of one type, including those of fragments, each once. */
  #fieldsOf(type: GraphQLNamedType, parts: readonly Part[]): Field[] {
    const found = new Map<string, { node: FieldNode; nodes: FieldNode[]; condition: Condition | undefined; parts: Part[] }>();
    const collect = (set: SelectionSetNode, outer: Condition | undefined): void => {
      for (const selection of set.selections) {
        const condition = both(outer, conditionOf(selection));
        if (selection.kind !== Kind.FIELD) {
          const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : selection;
          if (fragment && this.#applies(fragment.typeCondition?.name.value, type)) collect(fragment.selectionSet, condition);
          continue;
        }
        const key = selection.alias?.value ?? selection.name.value;
        const known = found.get(key);
        if (known) known.condition = either(known.condition, condition);
        const field = known ?? { node: selection, nodes: [], condition, parts: [] };
        field.nodes.push(selection);
        if (selection.selectionSet) field.parts.push([selection.selectionSet, condition]);
        found.set(key, field);
      }
    };
    for (const [set, condition] of parts) collect(set, condition);
    return [...found].map(([key, { node, nodes, condition, parts: inner }]) => ({
      key,
      condition,
      complete: this.#field(type, key, node, nodes, inner),
    }));
  }

  #applies(condition: string | undefined, type: GraphQLNamedType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const conditional = this.#schema.getType(condition);
    return isAbstractType(conditional) && (isObjectType(type) || isInterfaceType(type)) && this.#schema.isSubType(conditional, type);
  }

  #field(parent: GraphQLNamedType, key: string, node: FieldNode, nodes: FieldNode[], parts: Part[]): Field['complete'] {
    const name = node.name.value;
    if (name === '__typename') return this.#typename(parent, key);
    if (name === '__schema' || name === '__type') return this.#introspection(key, nodes);
    const type = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name]?.type : undefined;
    if (!type) throw new Error(`the graph has no ${parent.name}.${name}`);
    const complete = this.#value(type, parts);
    return (from, shaping) => complete(from[key], shaping);
  }

  #typename(parent: GraphQLNamedType, key: string): Field['complete'] {
    const schema = this.#schema;
    return (from) => {
      const given = from[key] ?? from['__typename'];
      const type = typeof given === 'string' ? (schema.getType(given) ?? parent) : parent;
      return isObjectType(type) ? type.name : BUBBLE;
    };
  }

  /** Answered from the API schema; computed only once when the fields use no variable. */
  #introspection(key: string, nodes: FieldNode[]): Field['complete'] {
    const [schema, fragments] = [this.#schema, this.#fragments];
    const used = (this.#operation.variableDefinitions ?? []).filter(({ variable }) => uses(nodes, variable.name.value, fragments));
    const definitions = [
      {
        ...this.#operation,
        directives: [],
        variableDefinitions: used,
        selectionSet: { kind: Kind.SELECTION_SET, selections: nodes },
      } as OperationDefinitionNode,
      ...fragments.values(),
    ];
    const run = (variableValues: Variables) =>
      executeSync({ schema, document: { kind: Kind.DOCUMENT, definitions }, variableValues }).data?.[key] ?? null;
    if (used.length) return (_from, { variables }) => run(variables);
    let answer: unknown;
    return () => (answer ??= run({}));
  }

  #value(type: GraphQLOutputType, parts: Part[]): Complete {
    if (isNonNullType(type)) return compileNonNull(this.#value(type.ofType, parts));
    if (isListType(type)) return compileList(this.#value(type.ofType, parts));
    return isLeafType(type) ? compileLeaf(type) : this.#composite(type, parts);
  }

  #composite(type: GraphQLNamedType, parts: Part[]): Complete {
    /** Compiled when the first object of a type arrives: an interface may have many types that never occur. */
    const byType = new Map<string, ShapeObject>();
    const compile = (name: string): ShapeObject | undefined => {
      const actual = this.#schema.getType(name);
      if (!isCompositeType(actual)) return undefined;
      const compiled = this.#object(actual, parts);
      byType.set(name, compiled);
      return compiled;
    };
    return (present, shaping) => {
      if (present === null || present === undefined) return null;
      if (!isFields(present)) return refuse(shaping);
      const given = present['__typename'];
      const name = typeof given === 'string' ? given : type.name;
      const shape = byType.get(name) ?? compile(name);
      if (!shape) return refuse(shaping);
      const value = shape(present, shaping);
      return value === BUBBLE ? null : value;
    };
  }
}

function compileNonNull(inner: Complete): Complete {
  return (present, shaping) => {
    const before = shaping.errors.length;
    const value = inner(present, shaping);
    if (value !== null) return value;
    if (shaping.errors.length === before) shaping.errors.push(misfit(shaping));
    return BUBBLE;
  };
}

function compileList(inner: Complete): Complete {
  return (present, shaping) => {
    if (present === null || present === undefined) return null;
    if (!Array.isArray(present)) return refuse(shaping);
    const values = Array.from<unknown>({ length: present.length });
    for (let index = 0; index < present.length; index++) {
      shaping.path.push(index);
      const value = inner(present[index], shaping);
      shaping.path.pop();
      if (value === BUBBLE) return null;
      values[index] = value;
    }
    return values;
  };
}

/** Returns null and adds an error: the subgraph gave a value that the schema does not allow. */
function refuse(shaping: Shaping): null {
  shaping.errors.push(misfit(shaping));
  return null;
}

const misfit = ({ path }: Shaping) => new GraphQLError('a subgraph gave a value that the schema does not allow here', { path: [...path] });

const VALID: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string' || Number.isInteger(value),
  Int: Number.isInteger,
  Float: Number.isFinite,
  Boolean: (value) => typeof value === 'boolean',
};

function compileLeaf(type: GraphQLNamedType): Complete {
  // An enum value that the API schema hides is refused too. Custom scalars are not checked here: their subgraph has done that.
  const isValid = isEnumType(type) ? (value: unknown) => typeof value === 'string' && type.getValue(value) !== undefined : VALID[type.name];
  return (present, shaping) => {
    if (present === null || present === undefined) return null;
    return !isValid || isValid(present) ? present : refuse(shaping);
  };
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

/** Whether these fields, or a fragment that they use, contain the variable. */
function uses(nodes: readonly object[], variable: string, fragments: ReadonlyMap<string, FragmentDefinitionNode>): boolean {
  const seen = new Set<string>();
  const search = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(search);
    if (typeof value !== 'object' || value === null) return false;
    const node = value as { kind?: string; name?: { value: string } };
    if (node.kind === Kind.VARIABLE) return node.name?.value === variable;
    if (node.kind === Kind.FRAGMENT_SPREAD && node.name && !seen.has(node.name.value)) {
      seen.add(node.name.value);
      if (search(fragments.get(node.name.value)?.selectionSet)) return true;
    }
    return Object.entries(value).some(([name, inner]) => name !== 'loc' && search(inner));
  };
  return search(nodes);
}
