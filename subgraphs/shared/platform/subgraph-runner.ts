// Runs operations on a subgraph's schema, for a gateway in this process as well as for one that calls over HTTP.
import { type DocumentNode, type ExecutionResult, createSourceEventStream, execute, getOperationAST, parse, validate } from 'graphql';
import type { SubgraphRequest } from './ask.ts';
import { CompiledQueries } from './compiled-queries.ts';
import { requireCleanLiterals, requireCleanText } from './clean-text.ts';
import { fail } from './errors.ts';
import { type Viewer, isImpersonating } from './identity.ts';
import type { Log } from './log.ts';
import { Lru } from './lru.ts';
import { maskErrors, toGraphQLError } from './masking.ts';
import type { Subgraph } from './subgraph.ts';

export type ResultStream = AsyncIterableIterator<ExecutionResult>;

/** Every result is masked; neither function throws. */
export interface SubgraphRunner {
  execute(request: SubgraphRequest, viewer: Viewer, signal?: AbortSignal): Promise<ExecutionResult>;
  /** The results of a subscription's events, each resolved in a new context. `return()` ends it at once and aborts the context's signal. */
  subscribe(request: SubgraphRequest, viewer: Viewer, signal?: AbortSignal): Promise<ResultStream | ExecutionResult>;
}

/** The cache's limit in characters of operations; parsed, they take some 200 times as many bytes. The planner makes one operation per fetch. */
const CACHED_CHARACTERS = 524_288;

export function createSubgraphRunner(subgraph: Subgraph, log: Log): SubgraphRunner {
  const documents = new Lru<DocumentNode>(CACHED_CHARACTERS, (query) => query.length);

  const compiledQueries = new CompiledQueries(subgraph.schema);

  /** Parses and validates an operation once: execution alone would silently leave out an unknown field. */
  function documentOf(query: string): DocumentNode {
    const known = documents.get(query);
    if (known) return known;
    const document = parse(query, { noLocation: true });
    requireCleanLiterals(document);
    const [error] = validate(subgraph.schema, document);
    if (error) throw error;
    documents.set(query, document);
    return document;
  }

  function argsOf(request: SubgraphRequest, viewer: Viewer, signal?: AbortSignal) {
    requireCleanText(request.variables);
    const document = documentOf(request.query);
    if (isImpersonating(viewer) && getOperationAST(document, request.operationName)?.operation === 'mutation')
      throw fail('impersonation_reads_only');
    return {
      schema: subgraph.schema,
      document,
      variableValues: request.variables,
      operationName: request.operationName,
      contextValue: subgraph.context(viewer, signal),
    };
  }

  const masked = (result: ExecutionResult, viewer: Viewer) => maskErrors(result, { requestId: viewer.requestId, log });
  const failed = (thrown: unknown, viewer: Viewer) => masked({ errors: [toGraphQLError(thrown)] }, viewer);

  async function run(request: SubgraphRequest, viewer: Viewer, signal?: AbortSignal, rootValue?: unknown): Promise<ExecutionResult> {
    try {
      const args = argsOf(request, viewer, signal);
      compiledQueries.use(args.schema);
      const compiled = await compiledQueries.of(args.document, args.operationName)?.(rootValue, args.contextValue, args.variableValues);
      // Of variables that do not fit graphql-js tells in its own words.
      return masked(compiled?.data === undefined ? await execute({ ...args, rootValue }) : compiled, viewer);
    } catch (thrown) {
      return failed(thrown, viewer);
    }
  }

  return {
    execute: (request, viewer, signal) => run(request, viewer, signal),
    async subscribe(request, viewer, signal) {
      const ended = new AbortController();
      const life = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
      try {
        const events = await createSourceEventStream(argsOf(request, viewer, life));
        if (!(Symbol.asyncIterator in events)) return masked(events, viewer);
        const results = eventResults(
          events,
          ended,
          (event) => run(request, viewer, life, event),
          (thrown) => failed(thrown, viewer),
        );
        signal?.addEventListener('abort', () => results.return?.(), { once: true });
        return results;
      } catch (thrown) {
        return failed(thrown, viewer);
      }
    },
  };
}

/** Not an `async function*`: one that waits cannot be returned, so a cancelled subscription would hold its source for ever. */
function eventResults(
  events: AsyncIterable<unknown>,
  ended: AbortController,
  resolve: (event: unknown) => Promise<ExecutionResult>,
  mask: (thrown: unknown) => ExecutionResult,
): ResultStream {
  const source = events[Symbol.asyncIterator]();
  const over = { done: true, value: undefined } as const;
  let release: ((result: IteratorResult<ExecutionResult>) => void) | undefined;
  const end = () => {
    if (ended.signal.aborted) return;
    ended.abort();
    release?.(over);
    source.return?.().catch(() => {});
  };
  async function pull(): Promise<IteratorResult<ExecutionResult>> {
    try {
      const event = await source.next();
      if (event.done || ended.signal.aborted) return over;
      return { done: false, value: await resolve(event.value) };
    } catch (thrown) {
      if (ended.signal.aborted) return over;
      ended.abort();
      return { done: false, value: mask(thrown) };
    }
  }
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (ended.signal.aborted) return Promise.resolve(over);
      return new Promise((settle) => {
        release = settle;
        pull().then(settle);
      });
    },
    async return() {
      end();
      return over;
    },
    async throw(error) {
      end();
      throw error;
    },
  };
}
