// Documents that are not planned yet wait in a bounded queue for the planning thread; each caller has a budget of the thread's time.
import type { QueryPlan } from '@apollo/query-planner';
import { GraphQLError, Source } from 'graphql';
import { addressGroup } from '#platform/address-group.ts';
import { Failure, fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import { type Budget, type BudgetTerms, type Ticks, createBudget } from '#platform/budget.ts';
import { type PlanAnswer, type PlanQuestion, type PlanningThread, ThreadLost, openPlanningThread } from './planning-thread.ts';
import { QueryRefused } from './query-refused.ts';

export interface PlanningLimits {
  /** Milliseconds of the planning thread for one account, by session or by key. */
  account: BudgetTerms;
  /** The same for the address of a caller without an account. */
  address: BudgetTerms;
  /** Documents that may wait. */
  waiting: number;
  waitingPerCaller: number;
}

/**
 * The dashboard has some 200 documents of 1 to 10 ms, and each is planned once for everybody: an account's budget allows it to open every page five times over on a
 * platform that has just started. A document costs its milliseconds, but at least one for each hundred characters, since by its length it displaces others from the cache.
 */
export const PLANNING_LIMITS: PlanningLimits = {
  account: { burst: 10_000, perSecond: 100 },
  address: { burst: 2_000, perSecond: 20 },
  waiting: 256,
  waitingPerCaller: 64,
};

const CHARACTERS_PER_MS = 100;

/** Whose budget pays for the planning. */
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
   * Plans a document on the graph of `sdl`. Rejects with QueryRefused, with `too_many_attempts` when the caller has used up its budget, and with `overloaded` when too many
   * documents wait.
   */
  plan(question: PlanQuestion, caller: PlanningCaller, sdl: string): Promise<QueryPlan>;
  /**
   * Plans a document that counts on nobody's budget, without waiting for its turn: our own, and those that are planned before a graph is the present one. Rejects
   * with QueryRefused.
   */
  planAhead(question: PlanQuestion, sdl: string): Promise<QueryPlan>;
  /** The graph of `sdl`, for which documents were planned ahead, is the present one (`true`), or will not be. */
  settle(sdl: string, isPresent: boolean): void;
  /** Counts work of the same kind that was done outside of the planner, in milliseconds. */
  charge(caller: PlanningCaller, milliseconds: number): void;
  /** Throws `too_many_attempts`, as `plan` does, when the budget is used up. */
  requireBudget(caller: PlanningCaller): void;
  close(): void;
}

export interface PlannerOptions {
  log: Log;
  metrics: Metrics;
  limits?: Partial<PlanningLimits> | undefined;
  now?: Ticks | undefined;
}

export const createPlanner = (options: PlannerOptions): Planner => new ThreadPlanner(options);

interface OpenThread {
  sdl: string;
  planning: PlanningThread;
}

class ThreadPlanner implements Planner {
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #budgets: Record<'known' | 'unknown', Budget>;
  readonly #queue: PlanningQueue;
  readonly #underWay = new Map<string, { sdl: string; plan: Promise<QueryPlan> }>();
  #isBusy = false;
  #thread: OpenThread | undefined;
  /** Of the graph that is to be the present one. */
  #next: OpenThread | undefined;

  constructor({ log, metrics, now, ...options }: PlannerOptions) {
    const limits = { ...PLANNING_LIMITS, ...options.limits };
    this.#log = log;
    this.#metrics = metrics;
    this.#budgets = { known: createBudget(limits.account, now), unknown: createBudget(limits.address, now) };
    this.#queue = new PlanningQueue(limits);
  }

  async plan(question: PlanQuestion, caller: PlanningCaller, sdl: string): Promise<QueryPlan> {
    const key = `${question.operationName ?? ''}\n${question.text}`;
    const found = this.#underWay.get(key);
    if (found?.sdl === sdl) {
      try {
        return await found.plan;
      } catch (error) {
        // The caller that asked first may have used up its budget; this caller has a budget of its own.
        if (!(error instanceof Failure) || error instanceof QueryRefused) throw error;
      }
    }
    const plan = this.#enqueue(question, caller, sdl);
    this.#underWay.set(key, { sdl, plan });
    try {
      return await plan;
    } finally {
      if (this.#underWay.get(key)?.plan === plan) this.#underWay.delete(key);
    }
  }

  async planAhead(question: PlanQuestion, sdl: string): Promise<QueryPlan> {
    if (this.#thread?.sdl !== sdl && this.#next?.sdl !== sdl) {
      this.#next?.planning.release();
      this.#next = { sdl, planning: openPlanningThread(sdl) };
    }
    const { planning } = (this.#next?.sdl === sdl ? this.#next : this.#thread) as OpenThread;
    return planIn(await planning.plan(question), question.text);
  }

  settle(sdl: string, isPresent: boolean): void {
    if (this.#next?.sdl !== sdl) return;
    const left = isPresent ? this.#thread : this.#next;
    if (isPresent) this.#thread = this.#next;
    this.#next = undefined;
    left?.planning.release();
  }

  charge(caller: PlanningCaller, milliseconds: number): void {
    this.#budgetOf(caller).charge(caller.name, milliseconds);
  }

  requireBudget(caller: PlanningCaller): void {
    this.#budgetOf(caller).take(caller.name, 0);
  }

  close(): void {
    this.#thread?.planning.release();
    this.#next?.planning.release();
    this.#thread = undefined;
    this.#next = undefined;
  }

  #budgetOf({ known }: PlanningCaller): Budget {
    return known ? this.#budgets.known : this.#budgets.unknown;
  }

  #enqueue(question: PlanQuestion, caller: PlanningCaller, sdl: string): Promise<QueryPlan> {
    this.requireBudget(caller);
    this.#queue.requireRoom(caller);
    return new Promise((resolve, reject) => {
      this.#queue.add({ ...question, caller, sdl, resolve, reject });
      this.#metrics.planningQueue.set(this.#queue.size);
      void this.#work();
    });
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let job = this.#queue.take(); job; job = this.#queue.take()) {
      this.#metrics.planningQueue.set(this.#queue.size);
      await this.#planOne(job).then(job.resolve, job.reject);
    }
    this.#isBusy = false;
  }

  async #planOne({ caller, text, operationName, sdl }: Job): Promise<QueryPlan> {
    const budget = this.#budgetOf(caller);
    budget.take(caller.name, 0);
    const began = performance.now();
    try {
      const answer = await this.#threadOf(sdl).plan({ text, operationName });
      budget.charge(caller.name, Math.max(answer.milliseconds, text.length / CHARACTERS_PER_MS));
      return planIn(answer, text);
    } catch (error) {
      if (!(error instanceof ThreadLost)) throw error;
      budget.charge(caller.name, performance.now() - began);
      this.#log.error({ err: error, caller: caller.name, characters: text.length }, 'a document ended the planning thread');
      throw new QueryRefused([new GraphQLError('The operation is too complex to plan.')]);
    }
  }

  #threadOf(sdl: string): PlanningThread {
    if (this.#thread?.sdl !== sdl) {
      this.#thread?.planning.release();
      this.#thread = { sdl, planning: openPlanningThread(sdl) };
    }
    return this.#thread.planning;
  }
}

/** Round robin over callers, those with an account first: between two documents of one caller, each other caller gets its turn. */
class PlanningQueue {
  readonly #limits: Pick<PlanningLimits, 'waiting' | 'waitingPerCaller'>;
  readonly #known = new Map<string, Job[]>();
  readonly #unknown = new Map<string, Job[]>();
  size = 0;

  constructor(limits: Pick<PlanningLimits, 'waiting' | 'waitingPerCaller'>) {
    this.#limits = limits;
  }

  /** Throws `overloaded`. */
  requireRoom(caller: PlanningCaller): void {
    const own = this.#jobsOf(caller)?.length ?? 0;
    if (this.size >= this.#limits.waiting || own >= this.#limits.waitingPerCaller) throw fail('overloaded', { retry_after_seconds: 1 });
  }

  add(job: Job): void {
    const own = this.#jobsOf(job.caller);
    if (own) own.push(job);
    else this.#callers(job.caller.known).set(job.caller.name, [job]);
    this.size++;
  }

  take(): Job | undefined {
    return this.#takeOf(this.#known) ?? this.#takeOf(this.#unknown);
  }

  #takeOf(callers: Map<string, Job[]>): Job | undefined {
    const [first] = callers;
    if (!first) return undefined;
    const [name, jobs] = first;
    const job = jobs.shift();
    callers.delete(name);
    if (jobs.length > 0) callers.set(name, jobs);
    this.size--;
    return job;
  }

  #callers(known: boolean): Map<string, Job[]> {
    return known ? this.#known : this.#unknown;
  }

  #jobsOf({ name, known }: PlanningCaller): Job[] | undefined {
    return this.#callers(known).get(name);
  }
}

/** The plan of an answer. Throws QueryRefused, and an Error for a fault. */
function planIn({ plan, refused, code, fault }: PlanAnswer, text: string): QueryPlan {
  if (refused)
    throw new QueryRefused(
      refused.map(({ message, positions }) => refusalOf(message, positions, text)),
      code,
    );
  if (plan === undefined) throw new Error(`a document could not be planned: ${fault}`);
  return JSON.parse(plan) as QueryPlan;
}

/** A reason that the planning thread gave, with its positions in the text. */
const refusalOf = (message: string, positions: readonly number[] | undefined, text: string): GraphQLError =>
  new GraphQLError(message, positions ? { source: new Source(text), positions } : {});
