// Asks subgraphs in other processes for their contracts, and takes the gateway over to the graph of those. A graph that must not be keeps the present one.
import type { Ask } from '#platform/ask.ts';
import type { Clock } from '#platform/clock.ts';
import { systemViewer } from '#platform/identity.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Contracts } from '../../../schema/contracts.ts';
import type { Gateway } from '../gateway.ts';
import type { Candidate, CandidateQuestion } from './candidate.ts';
import { judgeInThread } from './composing-thread.ts';

export interface ContractWatchOptions {
  everyMs: number;
  /** The contracts of which the present graph is made. */
  contracts: Contracts;
  /** Subgraph -> asks it. */
  asks: Readonly<Record<string, Ask>>;
  gateway: Pick<Gateway, 'replace' | 'supergraphSdl'>;
  /** What else a candidate is judged by. */
  judgedBy: Pick<CandidateQuestion, 'published' | 'documents' | 'folder'>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

export interface ContractWatch {
  /** One look at all contracts, as is due at intervals. Never rejects. */
  look(): Promise<void>;
  /** Whether the graph of the contracts that the subgraphs have now is refused. */
  readonly isRefused: boolean;
  close(): Promise<void>;
}

/** Looks at intervals from now on; a look begins when the one before it has ended. */
export function watchContracts(options: ContractWatchOptions): ContractWatch {
  const watch = new Watch(options);
  watch.start();
  return watch;
}

class Watch implements ContractWatch {
  readonly #options: ContractWatchOptions;
  readonly #closed = new AbortController();
  #contracts: Contracts;
  /** What the last look saw. A change counts once two looks in a row saw it: behind one address a roll-out may be half done. */
  #seen = '';
  #refused: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(options: ContractWatchOptions) {
    this.#options = options;
    this.#contracts = options.contracts;
  }

  get isRefused(): boolean {
    return this.#refused !== undefined;
  }

  start(): void {
    this.#timer = setTimeout(() => void this.look().then(() => this.#closed.signal.aborted || this.start()), this.#options.everyMs).unref();
  }

  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)));
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closed.abort(new Error('the gateway closes'));
    await this.#looking;
  }

  async #look(): Promise<void> {
    const contracts = await this.#ask();
    const told = JSON.stringify(contracts);
    if (told === JSON.stringify(this.#contracts)) this.#judged(undefined);
    else if (told === this.#seen && told !== this.#refused) await this.#take(contracts, told);
    this.#seen = told;
  }

  /** A subgraph that does not answer has the contract that it had; the readiness of the gateway says that it is away. */
  async #ask(): Promise<Contracts> {
    const { asks, clock } = this.#options;
    const viewer = systemViewer('contracts', newId('req', clock));
    const told = await Promise.all(
      Object.entries(this.#contracts).map(async ([name, contract]) => {
        const answer = await asks[name]?.<{ _service: { sdl: string | null } }>('{ _service { sdl } }', {}, viewer).catch(() => undefined);
        return [name, answer?._service.sdl ?? contract] as const;
      }),
    );
    return Object.fromEntries(told);
  }

  async #take(contracts: Contracts, told: string): Promise<void> {
    const { gateway, judgedBy, log, metrics } = this.#options;
    const { signal } = this.#closed;
    let candidate: Candidate;
    try {
      candidate = await judgeInThread({ contracts, present: gateway.supergraphSdl, ...judgedBy }, signal);
      if (candidate.graph) await gateway.replace(candidate.graph);
    } catch (error) {
      if (signal.aborted) return;
      candidate = { refused: [error instanceof Error ? error.message : String(error)], changes: [] };
    }
    const { refused, changes } = candidate;
    const subgraphs = Object.keys(contracts).filter((name) => contracts[name] !== this.#contracts[name]);
    if (refused.length > 0) {
      this.#judged(told);
      metrics.graphChanges.inc({ outcome: 'refused' });
      log.error({ subgraphs, reasons: refused }, 'the graph of the contracts that subgraphs have now is refused, the present one stays');
      return;
    }
    this.#contracts = contracts;
    this.#judged(undefined);
    metrics.graphChanges.inc({ outcome: 'taken' });
    log.info({ subgraphs, changes }, 'subgraphs have changed their contracts, and their graph answers from now on');
  }

  #judged(refused: string | undefined): void {
    this.#refused = refused;
    this.#options.metrics.graphRefused.set(refused === undefined ? 0 : 1);
  }
}
