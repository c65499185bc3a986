// Reports use to the ledger and gets leases for the meters: one exchange at a time, every second, and at once when a plan runs low.
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
  /** The ledger answered that a plan is revoked or unknown: its cached facts are invalid. */
  revoked: (meter: PlanMeter) => void;
}

/** How many addresses that used an old password are reported per exchange; the rest is dropped. */
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
  /** Reports that are left over for the following exchanges. */
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

  /** `presence`: shared by the plan and all its proxy users. */
  meter(facts: PlanFacts, presence?: PlanPresence): PlanMeter {
    return new PlanMeter(facts, { low: (wanting) => this.#want(wanting) }, this.#options.monotonic, this.#options.carried, presence);
  }

  /** Reported with the next exchange. Lost if that fails: the customer will try again. */
  triedOldPassword(planId: string, client: string): void {
    const key = `${planId} ${client}`;
    const known = this.#oldPasswords.get(key);
    if (known) known.tries++;
    else if (this.#oldPasswords.size < OLD_PASSWORDS) this.#oldPasswords.set(key, { planId, client, tries: 1 });
  }

  /** Refuses the plan of this meter from now on. */
  cut(meter: PlanMeter, why: Failure): void {
    meter.cut(why);
    this.#wants.delete(meter);
    this.#wake();
  }

  /** Returns the plan's leases, since its allowance has changed; connections that need one ask again. */
  recall(meter: PlanMeter): void {
    meter.recall();
    if (meter.wanting) meter.ask();
    this.#wake();
  }

  /** Returns all leases. What the ledger does not take stays in the journal. */
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
    // Without an exchange in flight, the next one writes the journal. An exchange that hangs must not make a crash cost more than one tick.
    if (this.#exchange) this.#options.journal.write(this.#unsettled().map(([, , report]) => report));
    this.#wake();
  }

  /** Reports without counters that renew leases. */
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

  /** All leases with something to report. */
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
    // Everything of this turn of the event loop goes into one exchange.
    await Promise.resolve();
    do {
      this.#again = false;
      if (!(await this.#send())) return;
    } while (this.#again && !this.#closed);
  }

  /** One exchange; false when the ledger did not answer. */
  async #send(): Promise<boolean> {
    const { controlPlane, journal, limits, log, monotonic } = this.#options;
    const sentAt = monotonic();
    // A starved plan may have used up everything: settle first, so that the ledger learns what has arrived.
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
    // In the next exchange, accounts that were left out come before those that were reported.
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
    // Not renewed: the plan is stopped or its password was reset, and the ledger says so before the feed does.
    this.#shorten(sentAt, open.values());
    wanting.forEach((meter, index) => {
      const grant = answer.grants[index];
      if (grant) this.#granted(this.#accountOf(meter), grant, wants[index] as LeaseWant, sentAt);
    });
    for (const { leases, idle, meter } of this.#accounts.values())
      if (leases.size === 0 && (idle || this.#closed)) this.#accounts.delete(meter);
    return true;
  }

  /** Ends the grace of these leases. Default: of all, when the platform no longer knows this node. */
  #shorten(sentAt: number, leases: Iterable<Lease> = [...this.#accounts.values()].flatMap((account) => [...account.leases])): void {
    for (const lease of leases) lease.until = Math.min(lease.until, sentAt + this.#options.limits.unrenewedMs);
  }

  #granted(account: LeaseAccount, grant: LeaseGrant, want: LeaseWant, sentAt: number): void {
    const { meter } = account;
    if (grant.outcome === 'granted' && grant.lease !== undefined) {
      const lease = new Lease(grant.lease, grant.planId, grant.bytes, sentAt + grant.validMs);
      lease.reportedAt = sentAt;
      account.leases.add(lease);
      // The journal knows the lease before a byte of it is spent.
      this.#options.journal.write([{ lease: lease.id, parts: [], final: false }]);
      account.served();
      // Requested under an epoch that has ended, or while closing: returned unspent.
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
    // Nobody waits: leases that this node holds may be spent to the end.
    if (!meter.wanting) {
      meter.dropDemand();
      return;
    }
    const refusal = refusalOf(grant);
    if (refusal) this.cut(meter, refusal);
    else account.askLater(this.#options.monotonic);
  }
}
