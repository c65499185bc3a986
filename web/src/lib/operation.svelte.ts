// The state of an action that a button, a dialog or a form starts: whether it runs, how the last run failed, and the message after success.
import type { AnyVariables, TypedDocumentNode } from '@urql/core';
import { untrack } from 'svelte';
import { toast } from './ui/toast.svelte.ts';
import { client } from './client.svelte.ts';
import type { Failure } from './failure.ts';
import { toOutcome, type Outcome } from './live.svelte.ts';
import { refusalsLoaded } from './text/refusals.svelte.ts';

interface Operation<Data, Variables> {
  readonly busy: boolean;
  /** The variables of the present run, which tell the busy row of a list. */
  readonly running: Variables | undefined;
  /** How the last run failed; undefined before the first run and after a successful one. */
  readonly failure: Failure | undefined;
  /** Resolves to the failure, for the dialog that shows it. While a run is under way, a second press returns that run. */
  run(variables: Variables): Promise<Failure | undefined>;
  /** The same, for a caller that needs the data. */
  ask(variables: Variables): Promise<Outcome<Data>>;
}

interface Options<Data> {
  /** The message of the toast after a successful run. */
  success?: string | ((data: Data) => string);
  /** Called after success; the operation stays busy until it has resolved. */
  done?: (data: Data) => unknown;
  /** Called after every run, also a failed one, for example to load the present state. */
  settled?: () => void;
  /** Shows a failure as a toast, for pages without a place for it. */
  toastFailure?: boolean;
  /** A new run replaces the present one, whose answer is dropped; for a price that follows the input. */
  latest?: boolean;
}

/** Leaves the page. Never resolves, so that an operation whose `done` returns it stays busy and nothing can be pressed twice. */
export function leaveTo(url: string): Promise<never> {
  location.assign(url);
  return new Promise(() => {});
}

/** Queries that a press starts are not answered from the cache. */
const send = <Data, Variables extends AnyVariables>(document: TypedDocumentNode<Data, Variables>, variables: Variables) =>
  document.definitions.some((definition) => 'operation' in definition && String(definition.operation) === 'query')
    ? client.query(document, variables, { requestPolicy: 'network-only' })
    : client.mutation(document, variables);

/** A mutation, or a query that a press starts, with its state while the component lives. */
export function operation<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { success, done, settled, toastFailure = false, latest = false }: Options<Data> = {},
): Operation<Data, Variables> {
  let running = $state.raw<{ variables: Variables; answer: Promise<Outcome<Data>> }>();
  let failure = $state.raw<Failure>();

  async function once(variables: Variables): Promise<Outcome<Data>> {
    const result = await send(document, variables).toPromise();
    if (result.error) await refusalsLoaded();
    const outcome = toOutcome(result);
    if (latest && running?.variables !== variables) return outcome;
    failure = outcome.failure;
    try {
      if (outcome.data) await done?.(outcome.data);
    } finally {
      running = undefined;
    }
    settled?.();
    if (outcome.failure) {
      if (toastFailure) toast.error(outcome.failure.message);
    } else if (success !== undefined) toast.success(typeof success === 'string' ? success : success(outcome.data));
    return outcome;
  }

  /** Reads without tracking, so that an effect that starts a run is not started again by the end of that run. */
  function ask(variables: Variables): Promise<Outcome<Data>> {
    const before = untrack(() => running);
    if (before && !latest) return before.answer;
    const answer = once(variables);
    running = { variables, answer };
    return answer;
  }

  return {
    get busy() {
      return running !== undefined;
    },
    get running() {
      return running?.variables;
    },
    get failure() {
      return failure;
    },
    run: async (variables) => (await ask(variables)).failure,
    ask,
  };
}
