// A call of the API, and how it is refused.
import type { Task } from './state.ts';

export interface Call {
  path: Record<string, string>;
  given: Record<string, string>;
  /** Milliseconds. */
  at: number;
  /** How the task will end. */
  fate: Task['fate'];
  /** The bytes of a file that is uploaded. */
  bytes?: Buffer;
  /** The caller: a token, as `user@realm!name`, or a user that has signed in. */
  user: string;
}

/** A refusal. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: Record<string, string> | undefined;

  constructor(message: string, status = 500, errors?: Record<string, string>) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}
