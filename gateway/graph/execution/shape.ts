// Compiles an operation into a function that shapes the subgraphs' data into the answer: only the fields that were asked for, with nulls as the schema requires.
import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
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
  /** What the caller may see of the schema; undefined: all of it. */
  shown: GraphQLSchema | undefined;
  /** One for each place where the data does not fit the schema. */
  errors: GraphQLError[];
  path: (string | number)[];
}

export type Shape = (data: Fields, variables: Variables, shown?: GraphQLSchema) => { data: Fields | null; errors: GraphQLError[] };

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
  readonly #operation: OperationDefinitionNode;
  readonly #selections: Selections;

  constructor(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
    this.#operation = operation;
    this.#selections = new Selections(schema, document);
  }

  compile(): Shape {
    const { operation, selectionSet } = this.#operation;
    const root = this.#object(this.#selections.rootOf(operation), [[selectionSet, undefined]]);
    return (data, variables, shown) => {
      const shaping: Shaping = { variables, shown, errors: [], path: [] };
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
    if (name === '__typename') {
      const nameOf = this.#selections.compileTypeName(parent, key);
      return (from) => nameOf(from) ?? BUBBLE;
    }
    if (name === '__schema' || name === '__type') {
      const answer = compileIntrospection(this.#selections, this.#operation, key, nodes);
      return (_from, { variables, shown }) => answer(variables, shown);
    }
    const complete = this.#value(this.#selections.typeOf(parent, name), parts);
    const read = readerOf(key);
    return (from, shaping) => complete(read(from), shaping);
  }

  #value(type: GraphQLOutputType, parts: readonly Part[]): Complete {
    if (isNonNullType(type)) return compileNonNull(this.#value(type.ofType, parts));
    if (isListType(type)) return compileList(this.#value(type.ofType, parts));
    return isLeafType(type) ? compileLeaf(type) : this.#composite(type, parts);
  }

  #composite(type: GraphQLNamedType, parts: readonly Part[]): Complete {
    const shapeOf = this.#selections.byType(type, (actual) => this.#object(actual, parts));
    return (present, shaping) => {
      if (present === null || present === undefined) return null;
      if (!isFields(present)) return refuse(shaping);
      const shape = shapeOf(present);
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
