// Compiles queries of single objects to functions by graphql-jit, which run in a tenth of the time that graphql-js takes to walk the document: nearly every
// request asks for a key's caller and for one thing more. Other operations are left to graphql-js, because compiled code (graphql-jit 0.8.9) appends an item to a
// list of objects when a promise in it rejects, and never answers when the type of an abstract value cannot be told.
import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLOutputType,
  type GraphQLSchema,
  TypeInfo,
  BREAK,
  getNamedType,
  getNullableType,
  getOperationAST,
  isAbstractType,
  isCompositeType,
  isListType,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';

type Run = (
  rootValue: unknown,
  context: unknown,
  variables: Record<string, unknown> | undefined,
) => Promise<ExecutionResult> | ExecutionResult;

/** A document is compiled when it is asked for again: most of those that people type never are. */
type State = 'SEEN' | 'LEFT' | Run;

export class CompiledQueries {
  #schema: GraphQLSchema;
  #states = new WeakMap<DocumentNode, Map<string | undefined, State>>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** From now on operations run on this schema. */
  use(schema: GraphQLSchema): void {
    if (schema === this.#schema) return;
    this.#schema = schema;
    this.#states = new WeakMap();
  }

  /** The function of a valid operation; undefined when graphql-js must run it. Its result has no `data` when the variables do not fit. */
  of(document: DocumentNode, operationName: string | undefined): Run | undefined {
    let states = this.#states.get(document);
    if (!states) this.#states.set(document, (states = new Map()));
    const known = states.get(operationName);
    if (typeof known === 'function') return known;
    if (known === 'LEFT') return undefined;
    if (!known) return void states.set(operationName, 'SEEN');
    const compiled = this.#compile(document, operationName);
    states.set(operationName, compiled ?? 'LEFT');
    return compiled;
  }

  #compile(document: DocumentNode, operationName: string | undefined): Run | undefined {
    if (getOperationAST(document, operationName)?.operation !== 'query' || !this.#asksForObjects(document)) return undefined;
    const compiled = compileQuery(this.#schema, document, operationName);
    return isCompiledQuery(compiled) ? compiled.query : undefined;
  }

  /** Whether all that the document asks for are objects of known types and values of theirs. */
  #asksForObjects(document: DocumentNode): boolean {
    let fit = true;
    const types = new TypeInfo(this.#schema);
    visit(
      document,
      visitWithTypeInfo(types, {
        Field() {
          const type = types.getType();
          if (type && !isUnfit(type)) return undefined;
          fit = false;
          return BREAK;
        },
      }),
    );
    return fit;
  }
}

function isUnfit(type: GraphQLOutputType): boolean {
  const named = getNamedType(type);
  return isAbstractType(named) || (isCompositeType(named) && isListType(getNullableType(type)));
}
