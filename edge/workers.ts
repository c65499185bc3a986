// A proxy node on several cores: workers that take connections from the same ports, one line to the platform for all of them. A worker that dies is
// started again; its journal tells what it had spent.
import { Worker } from 'node:worker_threads';
import { SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { ControlPlane, EdgeStatus, ExitStatus } from './protocol/control-plane.ts';
import { counterMemory, wipeWorker } from './connection-counter.ts';
import type { EdgeFigures, EdgeOptions } from './edge.ts';
import { foremost, reportStatus } from './edge-status.ts';
import { createFeed } from './feed.ts';
import { adoptJournals } from './journal.ts';
import type { Endpoint } from './target-guard.ts';
import { type FromWorker, type News, type ToWorker, answerCall } from './worker-line.ts';

/** What every worker is started with: no functions, since it crosses to another thread. */
export type WorkerOptions = Pick<
  EdgeOptions,
  'exits' | 'listen' | 'secure' | 'policy' | 'demoTarget' | 'production' | 'version' | 'limits' | 'journalFile' | 'sessionsFile'
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
  /** Of all workers. */
  figures(): EdgeFigures;
  /** Takes no new connections, waits for the open ones, gives the leases back. */
  end(patienceMs: number): Promise<void>;
  /** The threads, for tests that kill one. */
  threads: readonly Worker[];
}

const RESTART_MS = SECOND;

interface Hand {
  thread: Worker;
  figures: EdgeFigures | undefined;
  status: EdgeStatus | undefined;
  ended: PromiseWithResolvers<void>;
}

/** Rejects when a port is taken. Ports must be given: 0 would give each worker another one. */
export async function startWorkers({ count, controlPlane: platform, log, logLevel, ...options }: WorkersOptions): Promise<Workers> {
  const { journalFile: stem } = options;
  if (stem !== undefined) adoptJournals(stem, [`${stem}-0`, ...Array.from({ length: count - 1 }, (_, index) => `${stem}-${index + 1}`)]);
  const counters = counterMemory(count);
  const hands: Hand[] = [];
  const threads: Worker[] = [];
  let ending = false;
  let draining = false;
  let feedStands = false;

  // Each worker tells the node, the node tells the platform.
  const controlPlane: ControlPlane = { ...platform, report: async () => ({ draining }) };
  const spread = (news: News) => {
    for (const { thread } of hands) thread.postMessage({ news } satisfies ToWorker);
  };
  const stopFollowing = createFeed(platform).follow({
    changed: (changed) => spread({ changed }),
    staticChanged: (staticChanged) => spread({ staticChanged }),
    beat() {
      feedStands = true;
      spread({ beat: true });
    },
    lost() {
      feedStands = false;
      spread({ lost: true });
    },
  });

  function start(index: number): Promise<readonly Endpoint[]> {
    const { journalFile, sessionsFile, ...common } = options;
    const orders: WorkerOrders = {
      ...common,
      ...(journalFile !== undefined && { journalFile: `${journalFile}-${index}` }),
      ...(sessionsFile !== undefined && { sessionsFile: `${sessionsFile}-${index}` }),
      index,
      count,
      counters,
      logLevel,
    };
    const thread = new Worker(new URL('worker.ts', import.meta.url), { workerData: orders });
    const hand: Hand = { thread, figures: undefined, status: undefined, ended: Promise.withResolvers() };
    hands[index] = hand;
    threads[index] = thread;
    if (feedStands) thread.postMessage({ news: { beat: true } } satisfies ToWorker);
    return new Promise((resolve, reject) => {
      thread.on('message', (message: FromWorker) => {
        if ('ready' in message) resolve(message.ready.endpoints);
        else if ('figures' in message) hand.figures = message.figures;
        else if ('call' in message) {
          if (message.call === 'report') hand.status = message.argument as EdgeStatus;
          void answerCall(controlPlane, message).then((answer) => thread.postMessage(answer));
        }
      });
      thread.on('error', (error) => {
        log.error({ worker: index, error: String(error) }, 'a worker died');
        reject(error);
      });
      thread.on('exit', () => {
        wipeWorker(counters, index);
        hand.ended.resolve();
        if (!ending && hands[index] === hand) setTimeout(() => void start(index).catch(() => {}), RESTART_MS).unref();
      });
    });
  }

  let endpoints: readonly Endpoint[] = [];
  try {
    for (let index = 0; index < count; index++) endpoints = await start(index);
  } catch (error) {
    ending = true;
    stopFollowing();
    await Promise.all(threads.map((thread) => thread.terminate()));
    throw error;
  }

  const status = (): EdgeStatus => asOne(hands.flatMap((hand) => hand.status ?? []));
  const reports = reportStatus(platform, log, status, (wished) => {
    draining = wished;
  });

  return {
    endpoints,
    threads,
    figures: () => sums(hands.flatMap((hand) => hand.figures ?? [])),
    async end(patienceMs) {
      ending = true;
      reports.close();
      for (const { thread } of hands) thread.postMessage({ end: { patienceMs } } satisfies ToWorker);
      await Promise.all(hands.map(({ ended }) => ended.promise));
      stopFollowing();
    },
  };
}

const NOTHING: EdgeFigures = {
  connections: 0,
  plans: 0,
  tunnels: 0,
  sessions: 0,
  exits: 0,
  healthyExits: 0,
  exchanges: 0,
  failedExchanges: 0,
  upBytes: 0,
  downBytes: 0,
  staticLines: 0,
};
/** Every worker has all of these. */
const COMMON = new Set<keyof EdgeFigures>(['exits', 'healthyExits', 'staticLines']);

function sums(all: readonly EdgeFigures[]): EdgeFigures {
  const total = { ...NOTHING };
  for (const figures of all)
    for (const name of Object.keys(NOTHING) as (keyof EdgeFigures)[])
      total[name] = COMMON.has(name) ? Math.max(total[name], figures[name]) : total[name] + figures[name];
  return total;
}

/** What the workers tell, as one node. Plans and sessions that several know count once for the one that knows most. */
function asOne(all: readonly EdgeStatus[]): EdgeStatus {
  const sum = (of: (status: EdgeStatus) => number) => all.reduce((total, status) => total + of(status), 0);
  const max = (of: (status: EdgeStatus) => number) => Math.max(0, ...all.map(of));
  const refusals: Record<string, number> = {};
  const exits = new Map<string, ExitStatus>();
  for (const status of all) {
    for (const [code, count] of Object.entries(status.refusals)) refusals[code] = (refusals[code] ?? 0) + count;
    for (const exit of status.exits) {
      const known = exits.get(exit.id);
      exits.set(exit.id, {
        ...exit,
        healthy: exit.healthy && (known?.healthy ?? true),
        connections: exit.connections + (known?.connections ?? 0),
        opened: exit.opened + (known?.opened ?? 0),
        faults: exit.faults + (known?.faults ?? 0),
      });
    }
  }
  return {
    version: all[0]?.version ?? 'unknown',
    endpoints: all[0]?.endpoints ?? [],
    uptimeMs: max(({ uptimeMs }) => uptimeMs),
    connections: sum(({ connections }) => connections),
    tunnels: sum(({ tunnels }) => tunnels),
    plans: max(({ plans }) => plans),
    sessions: max(({ sessions }) => sessions),
    upBytes: sum(({ upBytes }) => upBytes),
    downBytes: sum(({ downBytes }) => downBytes),
    ledgerFailures: sum(({ ledgerFailures }) => ledgerFailures),
    staticLines: max(({ staticLines }) => staticLines),
    refusals,
    exitCount: max(({ exitCount }) => exitCount),
    healthyExitCount: Math.min(...all.map(({ healthyExitCount }) => healthyExitCount)),
    exits: foremost([...exits.values()]),
  };
}
