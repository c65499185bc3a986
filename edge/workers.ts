// A proxy node with several workers, which accept connections on the same ports and share one connection to the platform. A worker that dies is started
// again; its journal has what it spent.
import { Worker } from 'node:worker_threads';
import { SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { ControlPlane, EdgeStatus } from './protocol/control-plane.ts';
import type { ChallengeCertificate } from './acme/certificate-request.ts';
import { counterMemory, wipeWorker } from './connection-counter.ts';
import type { EdgeOptions } from './edge-options.ts';
import type { EdgeFigures, EdgeStanding } from './edge-figures.ts';
import { type StatusReports, reportStatus } from './edge-status.ts';
import { createFeed } from './feed.ts';
import { adoptJournals } from './journal.ts';
import type { Endpoint } from './target-guard.ts';
import { type FromWorker, type News, type ToWorker, answerCall } from './worker-line.ts';
import { asOne, sumFigures } from './worker-sums.ts';

/** The options of every worker: no functions, since they are sent to another thread. */
export type WorkerOptions = Pick<
  EdgeOptions,
  | 'exits'
  | 'exitsFile'
  | 'standIns'
  | 'listen'
  | 'secure'
  | 'policy'
  | 'blocklists'
  | 'blocklistFolder'
  | 'demoTarget'
  | 'production'
  | 'version'
  | 'limits'
  | 'journalFile'
  | 'sessionsFile'
>;

export interface WorkerOrders extends WorkerOptions {
  index: number;
  count: number;
  counters: SharedArrayBuffer;
  logLevel: string;
}

export interface WorkersOptions extends WorkerOptions {
  count: number;
  controlPlane: ControlPlane;
  log: Log;
  logLevel: string;
}

export interface Workers {
  endpoints: readonly Endpoint[];
  /** The sums over all workers. */
  figures(): EdgeFigures;
  /** At most a second old. The node meets a condition only if all workers do. */
  standing(): EdgeStanding;
  /** Drains: stops listening, waits for open connections, returns the leases. */
  end(patienceMs: number): Promise<void>;
  /** As a node of one thread does; resolves when all workers do. */
  followOrder(challenges: readonly ChallengeCertificate[]): Promise<void>;
  /** The threads, for tests that kill one. */
  threads: readonly Worker[];
}

const RESTART_MS = SECOND;

interface Hand {
  thread: Worker;
  figures: EdgeFigures | undefined;
  standing: EdgeStanding | undefined;
  status: EdgeStatus | undefined;
  /** By the number of an order's news: called when the worker goes by it. */
  following: Map<number, () => void>;
  ended: PromiseWithResolvers<void>;
}

/** Starts the workers and shares one connection to the platform among them. */
class WorkerNode implements Workers {
  endpoints: readonly Endpoint[] = [];
  readonly threads: Worker[] = [];
  readonly #options: WorkersOptions;
  readonly #counters: SharedArrayBuffer;
  /** For the workers. Their status reports end here; the node reports to the platform. */
  readonly #controlPlane: ControlPlane;
  readonly #hands: Hand[] = [];
  readonly #stopFollowing: () => void;
  #reports: StatusReports | undefined;
  #lastOrder = 0;
  #ending = false;
  #draining = false;
  #feedStands = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#counters = counterMemory(options.count);
    this.#controlPlane = { ...options.controlPlane, report: async () => ({ draining: this.#draining }) };
    this.#stopFollowing = createFeed(options.controlPlane).follow({
      changed: (changed) => this.#spread({ changed }),
      staticChanged: (staticChanged) => this.#spread({ staticChanged }),
      gatewaysChanged: () => this.#spread({ gatewaysChanged: true }),
      networksChanged: () => this.#spread({ networksChanged: true }),
      beat: () => {
        this.#feedStands = true;
        this.#spread({ beat: true });
      },
      lost: () => {
        this.#feedStands = false;
        this.#spread({ lost: true });
      },
    });
  }

  /** Rejects when a port is taken; then all workers are stopped. */
  async start(): Promise<void> {
    const { count, controlPlane, log } = this.#options;
    try {
      for (let index = 0; index < count; index++) this.endpoints = await this.#start(index);
    } catch (error) {
      this.#ending = true;
      this.#stopFollowing();
      await Promise.all(this.threads.map((thread) => thread.terminate()));
      throw error;
    }
    const status = (): EdgeStatus => asOne(this.#hands.flatMap((hand) => hand.status ?? []));
    this.#reports = reportStatus(controlPlane, log, status, (wished) => {
      this.#draining = wished;
    });
  }

  figures(): EdgeFigures {
    return sumFigures(this.#hands.flatMap((hand) => hand.figures ?? []));
  }

  standing(): EdgeStanding {
    const all = (name: keyof EdgeStanding) => this.#hands.every(({ standing }) => standing?.[name] === true);
    return { feed: all('feed'), platform: all('platform'), listening: all('listening') };
  }

  async followOrder(challenges: readonly ChallengeCertificate[]): Promise<void> {
    const id = ++this.#lastOrder;
    await Promise.all(
      this.#hands.map((hand) => {
        const followed = Promise.withResolvers<void>();
        hand.following.set(id, followed.resolve);
        hand.thread.postMessage({ order: challenges, id } satisfies ToWorker);
        return Promise.race([followed.promise, hand.ended.promise]);
      }),
    );
  }

  async end(patienceMs: number): Promise<void> {
    this.#ending = true;
    this.#reports?.close();
    for (const { thread } of this.#hands) thread.postMessage({ end: { patienceMs } } satisfies ToWorker);
    await Promise.all(this.#hands.map(({ ended }) => ended.promise));
    this.#stopFollowing();
  }

  #spread(news: News): void {
    for (const { thread } of this.#hands) thread.postMessage({ news } satisfies ToWorker);
  }

  #ordersFor(index: number): WorkerOrders {
    const { controlPlane: _platform, log: _log, journalFile, sessionsFile, ...common } = this.#options;
    return {
      ...common,
      ...(journalFile !== undefined && { journalFile: `${journalFile}-${index}` }),
      ...(sessionsFile !== undefined && { sessionsFile: `${sessionsFile}-${index}` }),
      index,
      counters: this.#counters,
    };
  }

  /** Resolves with the endpoints that it listens on. */
  #start(index: number): Promise<readonly Endpoint[]> {
    const thread = new Worker(new URL('worker.ts', import.meta.url), { workerData: this.#ordersFor(index) });
    const hand: Hand = {
      thread,
      figures: undefined,
      standing: undefined,
      status: undefined,
      following: new Map(),
      ended: Promise.withResolvers(),
    };
    this.#hands[index] = hand;
    this.threads[index] = thread;
    if (this.#feedStands) thread.postMessage({ news: { beat: true } } satisfies ToWorker);
    return new Promise((resolve, reject) => {
      thread.on('message', (message: FromWorker) => {
        if ('ready' in message) resolve(message.ready.endpoints);
        else this.#hear(hand, message);
      });
      thread.on('error', (error) => {
        this.#options.log.error({ worker: index, error: String(error) }, 'a worker died');
        reject(error);
      });
      thread.on('exit', () => {
        wipeWorker(this.#counters, index);
        hand.ended.resolve();
        if (!this.#ending && this.#hands[index] === hand) setTimeout(() => void this.#start(index).catch(() => {}), RESTART_MS).unref();
      });
    });
  }

  #hear(hand: Hand, message: FromWorker): void {
    if ('figures' in message) Object.assign(hand, message);
    else if ('followed' in message) {
      hand.following.get(message.followed)?.();
      hand.following.delete(message.followed);
    } else if ('call' in message) {
      if (message.call === 'report') hand.status = message.argument as EdgeStatus;
      void answerCall(this.#controlPlane, message).then((answer) => hand.thread.postMessage(answer));
    }
  }
}

/** Rejects when a port is taken. Ports may not be 0, which would give each worker another port. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { journalFile: stem, count } = options;
  if (stem !== undefined) adoptJournals(stem, [`${stem}-0`, ...Array.from({ length: count - 1 }, (_, index) => `${stem}-${index + 1}`)]);
  const node = new WorkerNode(options);
  await node.start();
  return node;
}
