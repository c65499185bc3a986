// Compiles an operation into a function that shapes the subgraphs' data into the answer: only the fields that were asked for, with nulls as the schema requires.
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  isCompositeType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type Fields, isFields, newFields, readerOf } from './fields.ts';
import { compileIntrospection } from './introspection.ts';
import { compileLeafCheck } from './leaf.ts';
import { type Condition, type Part, Selections, type Variables } from './selections.ts';

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

/** Returns the shaped object, or BUBBLE. */
type ShapeObject = (from: Fields, shaping: Shaping) => Shaped;

export const compileShape = (schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Shape =>
  new ShapeCompiler(schema, document, operation).compile();

/** Runs once for each operation. The functions that it returns look nothing up in the schema, except for types that they see for the first time. */
class ShapeCompiler {
  readonly #schema: GraphQLSchema;
  readonly #operation: OperationDefinitionNode;
  readonly #selections: Selections;

  constructor(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#schema = schema;
    this.#operation = operation;
    this.#selections = new Selections(schema, document);
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
    const fields = this.#selections.fieldsOf(type, parts).map(({ key, name, nodes, condition, parts: inner }): Field => ({
      key,
      condition,
      complete: this.#field(type, key, name, nodes, inner),
    }));
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

  #field(parent: GraphQLNamedType, key: string, name: string, nodes: readonly FieldNode[], parts: readonly Part[]): Field['complete'] {
    if (name === '__typename') return this.#typename(parent, key);
    if (name === '__schema' || name === '__type') {
      const answer = compileIntrospection(this.#selections, this.#operation, key, nodes);
      return (_from, { variables }) => answer(variables);
    }
    const complete = this.#value(this.#selections.typeOf(parent, name), parts);
    const read = readerOf(key);
    return (from, shaping) => complete(read(from), shaping);
  }

  #typename(parent: GraphQLNamedType, key: string): Field['complete'] {
    const read = readerOf(key);
    return (from) => this.#selections.typeNameOf(read(from) ?? from['__typename'], parent) ?? BUBBLE;
  }

  #value(type: GraphQLOutputType, parts: readonly Part[]): Complete {
    if (isNonNullType(type)) return compileNonNull(this.#value(type.ofType, parts));
    if (isListType(type)) return compileList(this.#value(type.ofType, parts));
    return isLeafType(type) ? compileLeaf(type) : this.#composite(type, parts);
  }

  #composite(type: GraphQLNamedType, parts: readonly Part[]): Complete {
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

function compileLeaf(type: GraphQLNamedType): Complete {
  const isValid = compileLeafCheck(type);
  return (present, shaping) => {
    if (present === null || present === undefined) return null;
    return !isValid || isValid(present) ? present : refuse(shaping);
  };
}
