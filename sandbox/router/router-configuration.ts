// The router's configuration: the running one, changed by atomic commits, and the saved one.
import { isDeepStrictEqual } from 'node:util';
import { ConfigRefusal, type ConfigTree, checkFirewall, deletePath, linesOf, lookUp, setPath } from './config-tree.ts';

export interface RouterState {
  running: ConfigTree;
  saved: ConfigTree;
}

export interface Command {
  op?: unknown;
  path?: unknown;
  value?: unknown;
}

const FRESH: ConfigTree = { firewall: { ipv4: { forward: { filter: { 'default-action': 'accept' } } } } };

export const freshRouter = (): RouterState => ({ running: structuredClone(FRESH), saved: structuredClone(FRESH) });

export const invalidOperation = (op: unknown) => new ConfigRefusal(`'${String(op)}' is not a valid operation`);

export class Configuration {
  readonly #state: RouterState;
  readonly #changed: () => void;
  #commits = 0;

  constructor(state: RouterState, changed: () => void) {
    this.#state = state;
    this.#changed = changed;
  }

  /** How many commits have changed something. */
  get commits(): number {
    return this.#commits;
  }

  /** The lines of `show configuration commands`. */
  lines(): string[] {
    return linesOf(this.#state.running);
  }

  /** Applies all commands or none. */
  commit(commands: readonly Command[]): void {
    const next = structuredClone(this.#state.running);
    for (const { op, path, value } of commands) {
      const whole = [...(path as string[]), ...(value === undefined ? [] : [String(value)])];
      if (op === 'set') setPath(next, whole);
      else if (op === 'delete') deletePath(next, whole);
      else throw invalidOperation(op);
    }
    checkFirewall(next);
    if (isDeepStrictEqual(next, this.#state.running)) return;
    this.#state.running = next;
    this.#commits++;
    this.#changed();
  }

  retrieve({ op, path }: Command): unknown {
    const found = lookUp(this.#state.running, path as string[]);
    if (op === 'exists') return found !== undefined;
    if (op !== 'showConfig') throw invalidOperation(op);
    if (found === undefined) throw new ConfigRefusal('Configuration under specified path is empty\n\n');
    return found;
  }

  save(): void {
    this.#state.saved = structuredClone(this.#state.running);
    this.#changed();
  }

  /** Loads the saved configuration. */
  reboot(): void {
    this.#state.running = structuredClone(this.#state.saved);
    this.#changed();
  }
}
