// Compiles an operation into a function that writes the subgraphs' data as the JSON text of the answer, without building the answer as an object first. It only
// writes data that fits the schema; all that needs errors or nulls in the place of what does not fit is shape.ts's.
import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { type Fields, isFields, readerOf } from './fields.ts';
import { quote } from './json-text.ts';
import { compileLeafCheck } from './leaf.ts';
import { type Condition, type Part, type SelectedField, Selections, type Variables } from './selections.ts';

interface Writing {
  variables: Variables;
  shared: ReadonlySet<unknown>;
  /** By place in the operation: the texts of shared values that have been written there. */
  known: (Map<unknown, string> | undefined)[];
}

/** Returns the text; undefined when the data does not fit the schema. */
export type Writer = (data: Fields, variables: Variables, shared: ReadonlySet<unknown>) => string | undefined;

type Write = (present: unknown, writing: Writing) => string | undefined;
type WriteObject = (from: Fields, writing: Writing) => string | undefined;

interface Field {
  /** The member's name and colon; a comma stands before all but the first. */
  lead: string;
  condition: Condition | undefined;
  write: WriteObject;
}

export const compileWriter = (schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Writer =>
  new WriterCompiler(schema, document).compile(operation);

class WriterCompiler {
  readonly #selections: Selections;
  /** How many places of the operation remember texts. */
  #places = 0;

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#selections = new Selections(schema, document);
  }

  compile({ operation, selectionSet }: OperationDefinitionNode): Writer {
    const root = this.#object(this.#selections.rootOf(operation), [[selectionSet, undefined]]);
    return (data, variables, shared) => root(data, { variables, shared, known: [] });
  }

  #object(type: GraphQLNamedType, parts: readonly Part[]): WriteObject {
    const fields = this.#selections.fieldsOf(type, parts).map((field) => this.#field(type, field));
    return (from, writing) => {
      let text = '{';
      for (const { lead, condition, write } of fields) {
        if (condition && !condition(writing.variables)) continue;
        const value = write(from, writing);
        if (value === undefined) return undefined;
        text += text.length === 1 ? lead + value : `,${lead}${value}`;
      }
      return `${text}}`;
    };
  }

  #field(parent: GraphQLNamedType, { key, name, condition, parts }: SelectedField): Field {
    const lead = `"${key}":`;
    if (name === '__typename') {
      const nameOf = this.#selections.compileTypeName(parent, key);
      const write: WriteObject = (from) => {
        const found = nameOf(from);
        return found === undefined ? undefined : `"${found}"`;
      };
      return { lead, condition, write };
    }
    const read = readerOf(key);
    const type = this.#selections.typeOf(parent, name);
    const inner = this.#value(type, parts);
    const write = parts.length ? this.#remembered(inner) : inner;
    return { lead, condition, write: (from, writing) => write(read(from), writing) };
  }

  /** Writes a value that stands at several places of the data only once. */
  #remembered(write: Write): Write {
    const place = this.#places++;
    return (present, writing) => {
      if (!writing.shared.has(present)) return write(present, writing);
      const texts = (writing.known[place] ??= new Map<unknown, string>());
      const known = texts.get(present);
      if (known !== undefined) return known;
      const text = write(present, writing);
      if (text !== undefined) texts.set(present, text);
      return text;
    };
  }

  #value(type: GraphQLOutputType, parts: readonly Part[]): Write {
    if (isNonNullType(type)) return this.#some(type.ofType, parts);
    const some = this.#some(type, parts);
    return (present, writing) => (present === null || present === undefined ? 'null' : some(present, writing));
  }

  /** A value that must not be null. */
  #some(type: GraphQLOutputType, parts: readonly Part[]): Write {
    if (isListType(type)) return writeList(this.#value(type.ofType as GraphQLOutputType, parts));
    return isLeafType(type) ? writeLeaf(type) : this.#composite(type as GraphQLNamedType, parts);
  }

  #composite(type: GraphQLNamedType, parts: readonly Part[]): Write {
    const writerOf = this.#selections.byType(type, (actual) => this.#object(actual, parts));
    return (present, writing) => (isFields(present) ? writerOf(present)?.(present, writing) : undefined);
  }
}

const writeList =
  (write: Write): Write =>
  (present, writing) => {
    if (!Array.isArray(present)) return undefined;
    let text = '[';
    for (let index = 0; index < present.length; index++) {
      const value = write(present[index], writing);
      if (value === undefined) return undefined;
      text += index === 0 ? value : `,${value}`;
    }
    return `${text}]`;
  };

function writeLeaf(type: GraphQLNamedType): Write {
  const isValid = compileLeafCheck(type);
  if (!isValid) return (present) => (present === null || present === undefined ? undefined : JSON.stringify(present));
  return (present) => {
    if (!isValid(present)) return undefined;
    // Numbers and booleans that are valid are written as JSON writes them.
    return typeof present === 'string' ? quote(present) : String(present);
  };
}
