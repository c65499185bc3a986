// Reports to the ledger and supplies the meters: one exchange in flight, every second and at once when a plan runs low.
import { type Failure, fail } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import type { ControlPlane, LeaseGrant, LeaseReport, LeaseWant, OldPasswordTries, PlanFacts } from './protocol/control-plane.ts';
import { isRefused } from './protocol/client.ts';
import { MAX_WANTS, fitting } from './exchange-size.ts';
import type { Journal } from './journal.ts';
import { LeaseAccount } from './lease-account.ts';
import { Lease } from './lease.ts';
import type { EdgeLimits } from './limits.ts';
import { refusalOf } from './refused-grant.ts';
import { type Carried, PlanMeter, type PlanPresence } from './plan-meter.ts';

export interface LeaseClientOptions {
  controlPlane: Pick<ControlPlane, 'sync'>;
  journal: Journal;
  limits: EdgeLimits;
  log: Log;
  monotonic: () => number;
  carried: Carried;
  /** The ledger answered about a plan that it is revoked or unknown: what is known of it is worthless. */
  revoked: (meter: PlanMeter) => void;
}

/** More addresses than this with an old password, between two exchanges, are not reported: some are enough. */
const OLD_PASSWORDS = 500;

export class LeaseClient {
  readonly #options: LeaseClientOptions;
  readonly #accounts = new Map<PlanMeter, LeaseAccount>();
  readonly #wants = new Set<PlanMeter>();
  #oldPasswords = new Map<string, OldPasswordTries>();
  #inherited: LeaseReport[];
  #timer: NodeJS.Timeout;
  #exchange: Promise<void> | undefined;
  #again = false;
  /** Reports that did not fit into the exchanges of this round. */
  #late = 0;
  #closed = false;
  #lastTick: number;
  /** For metrics. */
  readonly counters = { exchanges: 0, failures: 0 };

  constructor(options: LeaseClientOptions) {
    this.#options = options;
    this.#inherited = [...options.journal.inherited];
    this.#lastTick = options.monotonic();
    this.#timer = setInterval(() => this.#tick(), options.limits.tickMs);
  }

  /** `presence` is that of the plan, with all its users. */
  meter(facts: PlanFacts, presence?: PlanPresence): PlanMeter {
    return new PlanMeter(facts, { low: (wanting) => this.#want(wanting) }, this.#options.monotonic, this.#options.carried, presence);
  }

  /** Reported with the next exchange; should that fail, it is forgotten: it will be tried again. */
  triedOldPassword(planId: string, client: string): void {
    const key = `${planId} ${client}`;
    const known = this.#oldPasswords.get(key);
    if (known) known.tries++;
    else if (this.#oldPasswords.size < OLD_PASSWORDS) this.#oldPasswords.set(key, { planId, client, tries: 1 });
  }

  /** The plan of this meter is refused from now on. */
  cut(meter: PlanMeter, why: Failure): void {
    meter.cut(why);
    this.#wants.delete(meter);
    this.#wake();
  }

  /** Gives the plan's leases back, since its allowance changed; whoever needs one asks anew. */
  recall(meter: PlanMeter): void {
    meter.recall();
    if (meter.wanting) meter.ask();
    this.#wake();
  }

  /** Returns what it holds; a ledger that is away leaves it to the journal. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const { meter } of this.#accounts.values()) {
      meter.cut(fail('metering_unavailable'));
      for (const delivery of meter.unsettled) delivery.end(0);
    }
    await this.#exchange;
    const unsettled = () => this.#inherited.length > 0 || [...this.#accounts.values()].some(({ leases }) => leases.size > 0);
    while (unsettled() && (await this.#send()));
    this.#options.journal.close();
  }

  /** One exchange now, for tests. */
  async flush(): Promise<void> {
    await this.#exchange;
    for (const { meter } of this.#accounts.values()) meter.settle();
    await this.#send();
  }

  #accountOf(meter: PlanMeter): LeaseAccount {
    let account = this.#accounts.get(meter);
    if (!account) {
      account = new LeaseAccount(meter);
      this.#accounts.set(meter, account);
    }
    return account;
  }

  #want(meter: PlanMeter): void {
    this.#wants.add(meter);
    this.#wake();
  }

  #tick(): void {
    const { monotonic, limits } = this.#options;
    const now = monotonic();
    const seconds = Math.max(0.001, (now - this.#lastTick) / 1_000);
    this.#lastTick = now;
    for (const account of this.#accounts.values()) {
      account.meter.settle();
      account.tick(now, seconds, limits);
    }
    // Otherwise the exchange that begins now writes them; one that hangs must not make a crash cost more than a tick.
    if (this.#exchange) this.#options.journal.write(this.#unsettled().map(([, , report]) => report));
    this.#wake();
  }

  /** Leases that the ledger is to keep without news of them. */
  #due(now: number, unsettled: readonly [LeaseAccount, Lease, LeaseReport][]): [LeaseAccount, Lease, LeaseReport][] {
    if (this.#closed) return [];
    const reporting = new Set(unsettled.map(([, lease]) => lease));
    return [...this.#accounts.values()].flatMap((account) =>
      account
        .due(now, this.#options.limits)
        .filter((lease) => !reporting.has(lease))
        .map((lease): [LeaseAccount, Lease, LeaseReport] => [account, lease, { lease: lease.id, parts: [], final: false }]),
    );
  }

  /** What the ledger does not know yet. */
  #unsettled(): [LeaseAccount, Lease, LeaseReport][] {
    const all: [LeaseAccount, Lease, LeaseReport][] = [];
    for (const account of this.#accounts.values()) {
      for (const lease of account.leases) {
        const report = lease.report();
        if (report) all.push([account, lease, report]);
      }
    }
    return all;
  }

  #wake(): void {
    if (this.#closed) return;
    if (this.#exchange) {
      this.#again = true;
      return;
    }
    this.#exchange = this.#exchangeUntilQuiet().finally(() => {
      this.#exchange = undefined;
    });
  }

  async #exchangeUntilQuiet(): Promise<void> {
    // What happens in this turn of the event loop goes together.
    await Promise.resolve();
    do {
      this.#again = false;
      if (!(await this.#send())) return;
    } while (this.#again && !this.#closed);
  }

  /** One exchange; false when the ledger was away. */
  async #send(): Promise<boolean> {
    const { controlPlane, journal, limits, log, monotonic } = this.#options;
    const sentAt = monotonic();
    // Whoever stands still may have used up all: whether it has, shows when what was sent has arrived.
    for (const meter of this.#wants) if (meter.wanting) meter.settle();
    const unsettled = this.#unsettled();
    const inherited = fitting(this.#inherited, (report) => report);
    const due = [...unsettled, ...this.#due(sentAt, unsettled)];
    const reported = fitting(due, ([, , report]) => report);
    const reports = reported.map(([, , report]) => report);
    const wants: LeaseWant[] = [];
    const wanting = [...this.#wants].slice(0, MAX_WANTS);
    for (const meter of wanting) {
      wants.push({
        planId: meter.facts.planId,
        epoch: meter.facts.epoch,
        bytes: this.#accountOf(meter).nextSize(sentAt, limits),
        starved: this.#accountOf(meter).isStarved(),
      });
      this.#wants.delete(meter);
    }
    const oldPasswords = [...this.#oldPasswords.values()];
    this.#oldPasswords.clear();
    if (reports.length === 0 && wants.length === 0 && inherited.length === 0 && oldPasswords.length === 0) return true;

    journal.write(unsettled.map(([, , report]) => report));
    let answer;
    try {
      answer = await controlPlane.sync({
        reports: [...inherited, ...reports],
        wants,
        ...(oldPasswords.length > 0 && { oldPasswords }),
        ...(limits.graceMs > 0 && { graceMs: limits.graceMs }),
      });
      this.counters.exchanges++;
    } catch (error) {
      this.counters.failures++;
      log.warn({ error: String(error) }, 'the ledger is away');
      if (isRefused(error)) this.#shorten(sentAt);
      for (const meter of wanting)
        if (meter.wanting) this.#wants.add(meter);
        else meter.dropDemand();
      return false;
    }

    this.#late = Math.max(0, (this.#late || due.length) - reported.length);
    if (this.#late > 0 || this.#wants.size > 0) this.#again = true;
    // Who was not heard this time comes before those who were.
    for (const [account] of this.#late > 0 ? reported : []) {
      this.#accounts.delete(account.meter);
      this.#accounts.set(account.meter, account);
    }
    const settled = inherited.map(({ lease }) => lease);
    this.#inherited = this.#inherited.slice(inherited.length);
    const open = new Map<string, Lease>();
    for (const [account, lease, report] of reported) {
      account.spent += lease.confirm(report);
      if (report.final) {
        account.leases.delete(lease);
        settled.push(lease.id);
      } else open.set(lease.id, lease);
      lease.reportedAt = sentAt;
    }
    journal.settle(settled);
    for (const { lease: id, validMs } of answer.renewed) {
      const lease = open.get(id);
      if (lease && !lease.final) lease.until = Math.max(lease.until, sentAt + validMs);
      open.delete(id);
    }
    // Of a plan that may not go on, or of an old password: the feed did not say so, the ledger does.
    this.#shorten(sentAt, open.values());
    wanting.forEach((meter, index) => {
      const grant = answer.grants[index];
      if (grant) this.#granted(this.#accountOf(meter), grant, wants[index] as LeaseWant, sentAt);
    });
    for (const { leases, idle, meter } of this.#accounts.values())
      if (leases.size === 0 && (idle || this.#closed)) this.#accounts.delete(meter);
    return true;
  }

  /** These are spent for as long as without a grace; absent: all, since the platform does not know this node any more. */
  #shorten(sentAt: number, leases: Iterable<Lease> = [...this.#accounts.values()].flatMap((account) => [...account.leases])): void {
    for (const lease of leases) lease.until = Math.min(lease.until, sentAt + this.#options.limits.unrenewedMs);
  }

  #granted(account: LeaseAccount, grant: LeaseGrant, want: LeaseWant, sentAt: number): void {
    const { meter } = account;
    if (grant.outcome === 'granted' && grant.lease !== undefined) {
      const lease = new Lease(grant.lease, grant.planId, grant.bytes, sentAt + grant.validMs);
      lease.reportedAt = sentAt;
      account.leases.add(lease);
      // Known to the next life before a byte of it is spent.
      this.#options.journal.write([{ lease: lease.id, parts: [], final: false }]);
      account.served();
      // Asked for under an epoch that is over, or by a plan that was refused meanwhile: given back unspent.
      if (want.epoch !== meter.facts.epoch || this.#closed) {
        lease.close();
      } else meter.grant(lease);
      if (lease.final) this.#again = true;
      return;
    }
    if (grant.outcome === 'revoked' || grant.outcome === 'unknown') {
      this.#options.revoked(meter);
      return;
    }
    // What is still leased here may be spent to the end.
    if (!meter.wanting) {
      meter.dropDemand();
      return;
    }
    const refusal = refusalOf(grant);
    if (refusal) this.cut(meter, refusal);
    else account.askLater(this.#options.monotonic);
  }
}
