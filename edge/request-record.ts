// One request of a plan that keeps a log: what is known of it by its end.
import type { Failure } from '#platform/errors.ts';
import type { Exit } from './exit.ts';
import type { Counted, Flow, Meter, PlanMeter } from './plan-meter.ts';
import type { LineTarget } from './protocol/line-username.ts';
import type { LoggedRequest } from './protocol/request-log.ts';

export interface RecordOptions {
  meter: PlanMeter;
  /** As the customer has written it; empty: none was named. */
  host: string;
  port: number;
  monotonic: () => number;
  /** Called once, when it is over. */
  ended: (record: RequestRecord) => void;
}

const MAX_HOST = 255;
const ANSWERS_WITH_AN_ERROR = 400;

export class RequestRecord {
  readonly meter: PlanMeter;
  up = 0;
  down = 0;
  readonly #options: RecordOptions;
  readonly #began: number;
  #place: Pick<LoggedRequest, 'country' | 'state' | 'city'> = { country: '' };
  #session: string | undefined;
  #status: number | null = null;
  #error: string | undefined;
  #over = false;

  constructor(options: RecordOptions) {
    this.#options = options;
    this.meter = options.meter;
    this.#began = options.monotonic();
  }

  /** Where the line wants to leave from. */
  asks({ country, state, city, session }: LineTarget): void {
    this.#place = { country, state, city };
    this.#session = session;
  }

  /** Where it leaves from. A seller's gateway stands for many places: there it is what the gateway was asked for. */
  leavesBy({ definition }: Exit, asked: string): void {
    if (definition.kind === 'gateway') this.#place.country = asked;
    else this.#place = { country: definition.country, state: definition.state, city: definition.city };
  }

  answered(status: number): void {
    this.#status = status;
  }

  failed({ code, status }: Failure): void {
    this.#error ??= code;
    this.#status ??= status;
  }

  get hasFailed(): boolean {
    return this.#error !== undefined || (this.#status ?? 0) >= ANSWERS_WITH_AN_ERROR;
  }

  /** What was opened for it, counted here as well. */
  follow<Open extends { meter: Meter; release(): void }>(opened: Open): Open & { record: RequestRecord } {
    return {
      ...opened,
      record: this,
      meter: new CountingMeter(opened.meter, this),
      release: () => {
        opened.release();
        this.end();
      },
    };
  }

  /** The request is made once more, on a new connection: `former` is not logged, and its bytes count here. */
  continues(former: RequestRecord): void {
    this.up += former.up;
  }

  /** It is not logged. */
  discard(): void {
    this.#over = true;
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.ended(this);
  }

  /** `at`: the present, Unix milliseconds. */
  toLogged(subject: string, at: number): LoggedRequest {
    const { host, port, monotonic } = this.#options;
    return {
      subject,
      at,
      durationMs: Math.max(0, Math.round(monotonic() - this.#began)),
      host: host.slice(0, MAX_HOST).toLowerCase(),
      port,
      status: this.#status,
      up: this.up,
      down: this.down,
      ...this.#place,
      session: this.#session,
      error: this.#error,
    };
  }
}

/** The plan's meter, which says beside what passes for one request. */
class CountingMeter implements Meter {
  readonly #meter: Meter;
  readonly #record: RequestRecord;

  constructor(meter: Meter, record: RequestRecord) {
    this.#meter = meter;
    this.#record = record;
  }

  get flows(): Set<Flow> {
    return this.#meter.flows;
  }

  get starved(): boolean {
    return this.#meter.starved;
  }

  take(flow: Counted, bytes: number, upward: boolean): number {
    const taken = this.#meter.take(flow, bytes, upward);
    if (upward) this.#record.up += taken;
    else this.#record.down += taken;
    return taken;
  }

  takeWhole(counted: Counted, bytes: number, upward: boolean): boolean {
    const taken = this.#meter.takeWhole(counted, bytes, upward);
    if (taken && upward) this.#record.up += bytes;
    else if (taken) this.#record.down += bytes;
    return taken;
  }
}
