// Queries and subscriptions with @urql/core as Svelte state. Mutations: `operation.svelte.ts`.
import type { AnyVariables, OperationResult, RequestPolicy, TypedDocumentNode } from '@urql/core';
import { untrack } from 'svelte';
import { client } from './client.svelte.ts';
import { installation } from './installation.ts';
import { isSignedOut, toFailure, type Failure } from './failure.ts';
import { toSignIn } from './session.svelte.ts';

export interface QueryState<Data> {
  readonly data: Data | undefined;
  readonly failure: Failure | undefined;
  /** True until the first answer for the present variables; meanwhile the data of the previous variables stays. */
  readonly loading: boolean;
  reload(): void;
}

/** Runs the query again whenever `variables` change; null runs nothing. A cached answer is shown at once and then refreshed. */
export function query<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: () => Variables | null,
  requestPolicy: RequestPolicy = 'cache-and-network',
): QueryState<Data> {
  const given = givenAnswer(document);
  let state = $state.raw<{ data?: Data; failure?: Failure; loading: boolean }>(given ? { data: given, loading: false } : { loading: true });
  let asked = $state(0);
  $effect(() => {
    void asked;
    const values = variables();
    if (values === null) return;
    untrack(() => {
      state = { ...state, loading: true };
    });
    const { unsubscribe } = client
      .query(document, values, { requestPolicy: asked > 0 ? 'network-only' : requestPolicy })
      .subscribe((result) => {
        const failure = result.error && isEmptied(result) ? toFailure(result.error) : undefined;
        if (failure && isSignedOut(failure)) toSignIn();
        state = { ...(result.data && !failure ? { data: result.data } : {}), ...(failure ? { failure } : {}), loading: false };
      });
    return unsubscribe;
  });
  return {
    get data() {
      return state.data;
    },
    get failure() {
      return state.failure;
    },
    get loading() {
      return state.loading;
    },
    reload() {
      asked += 1;
    },
  };
}

/** Whether an error took all of the answer, or one of its roots: a page shows what it asks for together. */
const isEmptied = ({ data, error }: OperationResult<unknown, AnyVariables>): boolean =>
  !data || error?.graphQLErrors.some(({ path }) => path?.[0] !== undefined && (data as Record<string, unknown>)[path[0]] === null) === true;

/** The first answer that came with the page; it is shown at once and refreshed like a cached one. */
function givenAnswer<Data>(document: TypedDocumentNode<Data, never>): Data | undefined {
  const [first] = document.definitions;
  return first?.kind === 'OperationDefinition' ? (installation.answers[first.name?.value ?? ''] as Data | undefined) : undefined;
}

/** Until a subscription is opened again whose graph has changed: pages all over the world do not come at the same time. */
const soon = () => 200 + Math.random() * 1_800;

/**
 * Passes every event of a subscription to `on` while the component lives; the socket resumes the subscription after a lost connection, and it is opened again when
 * the API has changed under it.
 */
export function follow<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: () => Variables | null,
  on: (data: Data) => void,
): void {
  let opened = $state(0);
  $effect(() => {
    void opened;
    const values = variables();
    if (values === null) return;
    let again: ReturnType<typeof setTimeout> | undefined;
    const { unsubscribe } = client.subscription(document, values).subscribe((result) => {
      if (result.data) untrack(() => on(result.data as Data));
      else if (result.error && toFailure(result.error).code === 'graph_changed') again = setTimeout(() => (opened += 1), soon());
    });
    return () => {
      clearTimeout(again);
      unsubscribe();
    };
  });
}

export type Outcome<Data> = { data: Data; failure?: undefined } | { data?: undefined; failure: Failure };

/** Runs a query once, without the cache. */
export async function fetchOnce<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Outcome<Data>> {
  return toOutcome(await client.query(document, variables, { requestPolicy: 'network-only' }).toPromise());
}

/** The data or the failure of a result; a reader who is signed out is sent to the sign-in page. */
export function toOutcome<Data>(result: OperationResult<Data, AnyVariables>): Outcome<Data> {
  if (result.error || !result.data) {
    const failure = result.error ? toFailure(result.error) : { code: 'internal', message: '' };
    if (isSignedOut(failure)) toSignIn();
    return { failure };
  }
  return { data: result.data };
}
