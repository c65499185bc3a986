// The log of single requests, for plans that have chosen one: what happened is gathered here and sent in batches beside the reports of use. No connection waits
// for it: what finds no room is dropped and counted as a gap. Of a plan without a log nothing is gathered, and nothing is done per byte.
import { randomBytes } from 'node:crypto';
import { type Clock, SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { REQUEST_LOG } from '../schema/limits.ts';
import { type LoggedRequest, MAX_LOGGED_REQUESTS, type RequestBatch } from './protocol/request-log.ts';
import type { ControlPlane } from './protocol/control-plane.ts';
import { EdgeCallRefused, isRefused } from './protocol/client.ts';
import type { PlanMeter } from './plan-meter.ts';
import { RequestRecord } from './request-record.ts';

export interface RequestLogOptions {
  controlPlane: Pick<ControlPlane, 'logRequests'>;
  log: Log;
  clock: Clock;
  monotonic: () => number;
  /** 0 to 1; replaced in tests. */
  random?: (() => number) | undefined;
  everyMs?: number | undefined;
}

/** Requests that wait to be sent, of all plans and of one. */
const ROOM = 10_000;
const ROOM_OF_PLAN = 4_000;

export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #waiting = new Map<string, LoggedRequest[]>();
  readonly #gaps = new Map<string, number>();
  readonly #name = randomBytes(9).toString('base64url');
  #size = 0;
  #batches = 0;
  /** Sent until the platform has it. */
  #batch: RequestBatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<boolean> | undefined;
  #closed = false;

  constructor(options: RequestLogOptions) {
    this.#options = options;
  }

  /** Follows a request that begins now; undefined where the plan has no log. */
  begin(meter: PlanMeter, host: string, port: number): RequestRecord | undefined {
    if (meter.facts.requestLog === undefined) return undefined;
    return new RequestRecord({ meter, host, port, monotonic: this.#options.monotonic, ended: (record) => this.#end(record) });
  }

  /** Sends what there is, once; what a platform that is away does not take is lost. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#sending;
    while (this.#hasMore) if (!(await this.#send())) return;
  }

  get #hasMore(): boolean {
    return this.#batch !== undefined || this.#size > 0 || this.#gaps.size > 0;
  }

  #end(record: RequestRecord): void {
    const mode = record.meter.facts.requestLog;
    const { random = Math.random, clock } = this.#options;
    // It may have been switched off meanwhile.
    if (mode === undefined || this.#options.controlPlane.logRequests === undefined) return;
    if (mode === 'SAMPLED' && !record.hasFailed && random() * REQUEST_LOG.sampledOneIn >= 1) return;
    const { planId: subject } = record.meter.facts;
    const waiting = this.#waiting.get(subject) ?? [];
    if (this.#size >= ROOM || waiting.length >= ROOM_OF_PLAN) this.#miss(subject, 1);
    else {
      waiting.push(record.toLogged(subject, clock.now().getTime()));
      this.#waiting.set(subject, waiting);
      this.#size++;
    }
    this.#sendLater();
  }

  #miss(subject: string, requests: number): void {
    const before = this.#gaps.get(subject);
    if (before !== undefined || this.#gaps.size < MAX_LOGGED_REQUESTS) this.#gaps.set(subject, (before ?? 0) + requests);
  }

  #sendLater(): void {
    if (this.#timer || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#sending = this.#send().finally(() => {
        this.#timer = undefined;
        if (this.#hasMore) this.#sendLater();
      });
    }, this.#options.everyMs ?? SECOND).unref();
  }

  /** One batch; false: it is to be sent again. */
  async #send(): Promise<boolean> {
    const { controlPlane, log } = this.#options;
    const batch = (this.#batch ??= this.#take());
    try {
      await controlPlane.logRequests?.(batch);
    } catch (error) {
      log.debug({ error: String(error) }, 'the platform does not take the request log');
      if (!(error instanceof EdgeCallRefused) || isRefused(error) || error.status >= 500) return false;
      // One that it will never take: an older platform, or a request that it cannot read.
      for (const { subject } of batch.requests) this.#miss(subject, 1);
    }
    this.#batch = undefined;
    return true;
  }

  #take(): RequestBatch {
    const requests: LoggedRequest[] = [];
    for (const [subject, waiting] of this.#waiting) {
      requests.push(...waiting.splice(0, MAX_LOGGED_REQUESTS - requests.length));
      if (waiting.length === 0) this.#waiting.delete(subject);
      if (requests.length === MAX_LOGGED_REQUESTS) break;
    }
    this.#size -= requests.length;
    const gaps = [...this.#gaps].map(([subject, missed]) => ({ subject, requests: missed }));
    this.#gaps.clear();
    return { id: `${this.#name}-${++this.#batches}`, requests, gaps };
  }
}
