// What a button, a dialog or a form asks for: whether it is under way, what went wrong the last time, and what is said when it is done.
import type { AnyVariables, TypedDocumentNode } from '@urql/core';
import { untrack } from 'svelte';
import { toast } from './ui/toast.svelte.ts';
import { client } from './client.svelte.ts';
import type { Failure } from './failure.ts';
import { toOutcome, type Outcome } from './live.svelte.ts';
import { refusalsLoaded } from './text/refusals.svelte.ts';

interface Operation<Data, Variables> {
  readonly busy: boolean;
  /** What the run under way was asked with: which row of a list is busy. */
  readonly running: Variables | undefined;
  /** Why the last run failed; nothing while there was none, or after one that went well. */
  readonly failure: Failure | undefined;
  /** Answers with what went wrong, for the dialog that shows it. A press while it runs is the same press. */
  run(variables: Variables): Promise<Failure | undefined>;
  /** The same for a caller that hands on what came. */
  ask(variables: Variables): Promise<Outcome<Data>>;
}

interface Options<Data> {
  /** The toast of a run that went well. */
  success?: string | ((data: Data) => string);
  /** It is busy until this has come to its end. */
  done?: (data: Data) => unknown;
  /** Also after a run that failed, for example to show what stands there now. */
  settled?: () => void;
  /** For a page without a place for it: what went wrong is a toast. */
  toastFailure?: boolean;
  /** For a price that follows what is typed: each run takes the place of the one before, whose answer is dropped. */
  latest?: boolean;
}

/** For `done`, where the page is being left: it stays busy, so that nothing is pressed twice on the way out. */
export function leaveTo(url: string): Promise<never> {
  location.assign(url);
  return new Promise(() => {});
}

/** What is asked for once, by a press, is asked past the cache. */
const send = <Data, Variables extends AnyVariables>(document: TypedDocumentNode<Data, Variables>, variables: Variables) =>
  document.definitions.some((definition) => 'operation' in definition && String(definition.operation) === 'query')
    ? client.query(document, variables, { requestPolicy: 'network-only' })
    : client.mutation(document, variables);

/** One mutation, or a query that a press asks for, with its state, for as long as the component lives. */
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

  /** An effect that asks is not asked again by the end of its own run. */
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
