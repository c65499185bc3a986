// Who may have how much planned: documents that nobody has planned yet wait in a bounded queue for the planning thread, each caller in its turn and on its own budget.
import type { QueryPlan } from '@apollo/query-planner';
import { GraphQLError, Source } from 'graphql';
import { addressGroup } from '#platform/address-group.ts';
import { Failure, fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import { type Budget, type BudgetTerms, type Ticks, createBudget } from '#platform/budget.ts';
import { type PlanQuestion, type PlanningThread, ThreadLost, openPlanningThread } from './planning-thread.ts';
import { QueryRefused } from './query-refused.ts';

export interface PlanningLimits {
  /** Milliseconds of the thread for an account, whether it comes by session or by key. */
  account: BudgetTerms;
  /** The same for an address that shows neither. */
  address: BudgetTerms;
  /** Documents that wait. */
  waiting: number;
  waitingPerCaller: number;
}

/**
 * The dashboard has some 200 documents of 1 to 10 ms, and each is planned once for everybody: an account could open every page of it on a platform that
 * has just started five times over. A document costs its milliseconds, or one for each hundred characters, by which it displaces others.
 */
export const PLANNING_LIMITS: PlanningLimits = {
  account: { burst: 10_000, perSecond: 100 },
  address: { burst: 2_000, perSecond: 20 },
  waiting: 256,
  waitingPerCaller: 64,
};

const CHARACTERS_PER_MS = 100;

/** Whose budget planning takes from. */
export interface PlanningCaller {
  name: string;
  known: boolean;
}

export const planningCallerOf = (viewer: Viewer): PlanningCaller =>
  'accountId' in viewer ? { name: viewer.accountId, known: true } : { name: addressGroup(viewer.address), known: false };

interface Job extends PlanQuestion {
  caller: PlanningCaller;
  sdl: string;
  resolve(plan: QueryPlan): void;
  reject(error: unknown): void;
}

export interface Planner {
  /**
   * A plan on the graph of `sdl`. Rejects with QueryRefused; with `too_many_attempts` when the caller has used up its budget, and `overloaded` when too much waits.
   */
  plan(question: PlanQuestion, caller: PlanningCaller, sdl: string): Promise<QueryPlan>;
  /** Counts work of the same kind that was done elsewhere, in milliseconds. */
  charge(caller: PlanningCaller, milliseconds: number): void;
  /** Throws as `plan` does when nothing is left. */
  requireBudget(caller: PlanningCaller): void;
  close(): void;
}

export interface PlannerOptions {
  log: Log;
  metrics: Metrics;
  limits?: Partial<PlanningLimits> | undefined;
  now?: Ticks | undefined;
}

export function createPlanner({ log, metrics, now, ...options }: PlannerOptions): Planner {
  const limits = { ...PLANNING_LIMITS, ...options.limits };
  const budgets = { known: createBudget(limits.account, now), unknown: createBudget(limits.address, now) };
  const budgetOf = ({ known }: PlanningCaller): Budget => (known ? budgets.known : budgets.unknown);
  /** Callers in the order of their turns; those that are known go first. */
  const queues = { known: new Map<string, Job[]>(), unknown: new Map<string, Job[]>() };
  const underWay = new Map<string, { sdl: string; plan: Promise<QueryPlan> }>();
  let waiting = 0;
  let busy = false;
  let thread: { sdl: string; planning: PlanningThread } | undefined;

  function take(queue: Map<string, Job[]>): Job | undefined {
    const [first] = queue;
    if (!first) return undefined;
    const [name, jobs] = first;
    const job = jobs.shift();
    // The next of the same caller waits for everybody else's.
    queue.delete(name);
    if (jobs.length > 0) queue.set(name, jobs);
    waiting--;
    return job;
  }

  function threadOf(sdl: string): PlanningThread {
    if (thread?.sdl !== sdl) {
      thread?.planning.release();
      thread = { sdl, planning: openPlanningThread(sdl) };
    }
    return thread.planning;
  }

  async function work({ caller, text, operationName, sdl }: Job): Promise<QueryPlan> {
    const budget = budgetOf(caller);
    budget.take(caller.name, 0);
    const began = performance.now();
    try {
      const { milliseconds, plan, refused, code, fault } = await threadOf(sdl).plan({ text, operationName });
      budget.charge(caller.name, Math.max(milliseconds, text.length / CHARACTERS_PER_MS));
      if (refused)
        throw new QueryRefused(
          refused.map(({ message, positions }) => refusalOf(message, positions, text)),
          code,
        );
      if (plan === undefined) throw new Error(`a document could not be planned: ${fault}`);
      return JSON.parse(plan) as QueryPlan;
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      budget.charge(caller.name, performance.now() - began);
      log.error({ err: error, caller: caller.name, characters: text.length }, 'a document ended the planning thread');
      throw new QueryRefused([new GraphQLError('The operation is too complex to plan.')]);
    }
  }

  async function next(): Promise<void> {
    if (busy) return;
    busy = true;
    for (let job = take(queues.known) ?? take(queues.unknown); job; job = take(queues.known) ?? take(queues.unknown)) {
      metrics.planningQueue.set(waiting);
      await work(job).then(job.resolve, job.reject);
    }
    busy = false;
  }

  function enqueue(question: PlanQuestion, caller: PlanningCaller, sdl: string): Promise<QueryPlan> {
    budgetOf(caller).take(caller.name, 0);
    const queue = caller.known ? queues.known : queues.unknown;
    const own = queue.get(caller.name) ?? [];
    if (waiting >= limits.waiting || own.length >= limits.waitingPerCaller) throw fail('overloaded', { retry_after_seconds: 1 });
    return new Promise((resolve, reject) => {
      own.push({ ...question, caller, sdl, resolve, reject });
      queue.set(caller.name, own);
      metrics.planningQueue.set(++waiting);
      void next();
    });
  }

  return {
    async plan(question, caller, sdl) {
      const key = `${question.operationName ?? ''}\n${question.text}`;
      const found = underWay.get(key);
      if (found?.sdl === sdl) {
        try {
          return await found.plan;
        } catch (error) {
          // Who asked first may have nothing left; who asks now has a budget of its own.
          if (!(error instanceof Failure) || error instanceof QueryRefused) throw error;
        }
      }
      const plan = enqueue(question, caller, sdl);
      underWay.set(key, { sdl, plan });
      try {
        return await plan;
      } finally {
        if (underWay.get(key)?.plan === plan) underWay.delete(key);
      }
    },
    charge: (caller, milliseconds) => budgetOf(caller).charge(caller.name, milliseconds),
    requireBudget: (caller) => budgetOf(caller).take(caller.name, 0),
    close() {
      thread?.planning.release();
      thread = undefined;
    },
  };
}

/** A reason of the planning thread, with its places in the text. */
const refusalOf = (message: string, positions: readonly number[] | undefined, text: string): GraphQLError =>
  new GraphQLError(message, positions ? { source: new Source(text), positions } : {});
