// What a button, a dialog or a form asks for: whether it is under way, what went wrong the last time, and what is said when it is done.
import type { AnyVariables, TypedDocumentNode } from '@urql/core';
import { toast } from 'svelte-sonner';
import type { Failure } from './failure.ts';
import { mutate } from './live.svelte.ts';

interface Operation<Variables> {
  readonly busy: boolean;
  /** What the run under way was asked with: which row of a list is busy. */
  readonly running: Variables | undefined;
  /** Why the last run failed; nothing while there was none, or after one that went well. */
  readonly failure: Failure | undefined;
  /** Answers with what went wrong, for the dialog that shows it. A press while it runs is the same press. */
  run(variables: Variables): Promise<Failure | undefined>;
}

interface Outcome<Data> {
  /** The toast of a run that went well. */
  success?: string | ((data: Data) => string);
  /** It is busy until this has come to its end. */
  done?: (data: Data) => unknown;
  /** Also after a run that failed, for example to show what stands there now. */
  settled?: () => void;
  /** For a page without a place for it: what went wrong is a toast. */
  toastFailure?: boolean;
}

/** One mutation with its state, for as long as the component lives. */
export function operation<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { success, done, settled, toastFailure = false }: Outcome<Data> = {},
): Operation<Variables> {
  let running = $state.raw<{ variables: Variables; answer: Promise<Failure | undefined> }>();
  let failure = $state.raw<Failure>();

  async function once(variables: Variables): Promise<Failure | undefined> {
    const outcome = await mutate(document, variables);
    failure = outcome.failure;
    try {
      if (outcome.data) await done?.(outcome.data);
    } finally {
      running = undefined;
    }
    settled?.();
    if (outcome.failure) {
      if (toastFailure) toast.error(outcome.failure.reason ?? outcome.failure.message);
      return outcome.failure;
    }
    if (success !== undefined) toast.success(typeof success === 'string' ? success : success(outcome.data));
    return undefined;
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
    run: (variables) => (running ??= { variables, answer: once(variables) }).answer,
  };
}
