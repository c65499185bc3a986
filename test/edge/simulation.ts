// The metering protocol under a hostile network, as a discrete-event simulation: the nodes' real lease client and meter, the ledger's real rules,
// and between them loss, duplicates that come twenty seconds late, partitions, crashes and clocks that drift. Time is simulated; a minute takes milliseconds.
import { silentLog } from '#platform/log.ts';
import { LEASE } from '../../subgraphs/residential/leases/domain/lease.ts';
import { keyed, originKey } from '../../edge/protocol/origin.ts';
import type { ControlPlane, LeasePart, LeaseReport, SyncAnswer, SyncRequest } from '../../edge/protocol/control-plane.ts';
import type { Journal } from '../../edge/journal.ts';
import { LeaseClient } from '../../edge/lease-client.ts';
import { EDGE_LIMITS } from '../../edge/limits.ts';
import type { Flow, PlanMeter } from '../../edge/plan-meter.ts';
import { chance } from '../kit/chance.ts';
import { MemoryLedger, fingerprint } from './memory-ledger.ts';

export interface Scenario {
  nodes: number;
  totalBytes: number;
  /** Share of messages lost in each direction; the same share is delivered twice. */
  loss: number;
  partitions: boolean;
  crashes: boolean;
  /** A crashed node loses its disk too. */
  journalLost: boolean;
  /** The nodes' clock rates differ by up to this share. */
  drift: number;
  marginMs: number;
  /** The nodes' grace, in milliseconds. */
  graceMs: number;
  trafficMs: number;
  /** Makes the ledger wrong on purpose, to test the checks. */
  fault?: 'adds-reports';
}

export const SCENARIO: Scenario = {
  nodes: 4,
  totalBytes: 200_000_000,
  loss: 0,
  partitions: false,
  crashes: false,
  journalLost: false,
  drift: 0,
  marginMs: LEASE.marginMs,
  graceMs: 0,
  trafficMs: 40_000,
};

export interface Outcome {
  forwarded: bigint;
  settled: bigint;
  leased: bigint;
  overUse: bigint;
  /** The bytes that given-up leases could hide: the bound of over-use. */
  hidden: bigint;
  violations: string[];
}

/** Timers that fire only when the simulation advances. */
export interface SimulatedTime {
  now(): number;
  advance(milliseconds: number): Promise<void>;
}

const STEP_MS = 50;
const TIMEOUT_MS = 2_000;

class MemoryJournal implements Journal {
  readonly open = new Map<string, Map<string, LeasePart>>();
  inherited: readonly LeaseReport[] = [];

  write(reports: readonly LeaseReport[]): void {
    for (const { lease, parts } of reports) {
      const known = this.open.get(lease) ?? new Map<string, LeasePart>();
      this.open.set(lease, known);
      for (const part of parts) known.set(originKey(part), { ...part });
    }
  }

  settle(leases: readonly string[]): void {
    for (const lease of leases) this.open.delete(lease);
  }

  close(): void {}

  /** The journal of the restarted node. */
  heir(): MemoryJournal {
    const heir = new MemoryJournal();
    for (const [lease, parts] of this.open) heir.open.set(lease, new Map(parts));
    heir.inherited = [...this.open].map(([lease, parts]) => ({ lease, parts: [...parts.values()], final: true }));
    return heir;
  }
}

/** The ledger, with the ends of leases and the sum of what given-up leases could hide. */
class SimulatedLedger extends MemoryLedger {
  readonly #expires = new Map<string, number>();
  readonly #fault: Scenario['fault'];
  hidden = 0n;
  late = 0n;
  time = 0;

  constructor(fault: Scenario['fault']) {
    super();
    this.#fault = fault;
  }

  override sync(request: SyncRequest): SyncAnswer {
    const before = new Map(request.reports.map(({ lease }) => [lease, this.leases.get(lease)?.settled ?? 0n]));
    const wasOpen = new Map(request.reports.map(({ lease }) => [lease, this.leases.get(lease)?.open ?? false]));
    if (this.#fault === 'adds-reports') this.#addAgain(request.reports);
    const answer = super.sync(request);
    for (const { lease: id } of request.reports) {
      const lease = this.leases.get(id);
      if (lease && !wasOpen.get(id)) this.late += lease.settled - (before.get(id) ?? 0n);
    }
    for (const { lease, validMs } of answer.renewed) this.#expires.set(lease, this.time + validMs);
    for (const { lease, validMs } of answer.grants) if (lease !== undefined) this.#expires.set(lease, this.time + validMs);
    return answer;
  }

  /** Adds what a crashed node forgot to the hidden bytes. */
  giveUp(reports: readonly LeaseReport[]): void {
    for (const { lease: id, parts } of reports) {
      const lease = this.leases.get(id);
      const told = parts.reduce((sum, { up, down }) => sum + BigInt(up + down), 0n);
      if (lease?.open) this.hidden += lease.granted - (told > lease.settled ? told : lease.settled);
    }
  }

  reap(marginMs: number): void {
    for (const [id, lease] of this.leases) {
      if (!lease.open || (this.#expires.get(id) ?? 0) + marginMs >= this.time) continue;
      lease.open = false;
      this.hidden += lease.granted - lease.settled;
    }
  }

  /** What a ledger that adds up reports would do with a repeated one. */
  #addAgain(reports: readonly LeaseReport[]): void {
    for (const { lease: id, parts } of reports) {
      const lease = this.leases.get(id);
      for (const { up, down } of parts) if (lease) lease.plan.usedBytes += BigInt(up + down);
    }
  }
}

export async function simulate(seed: number, scenario: Scenario, time: SimulatedTime): Promise<Outcome> {
  const random = chance(seed * 2_654_435_761);
  const below = (limit: number) => Math.floor(random() * limit);
  const began = time.now();
  const now = () => time.now() - began;
  const ledger = new SimulatedLedger(scenario.fault);
  const plan = ledger.plan({ totalBytes: BigInt(scenario.totalBytes) });
  const violations: string[] = [];
  let forwarded = 0n;

  const check = () => {
    ledger.time = now();
    const leased = ledger.leasedBytes(plan);
    if (plan.usedBytes > forwarded) violations.push(`charged ${plan.usedBytes} of ${forwarded} that flowed`);
    if (plan.usedBytes + leased > plan.totalBytes + ledger.late) violations.push('promised more than was sold');
    if (forwarded > plan.totalBytes + ledger.hidden + leased + ledger.late) violations.push('over-use beyond the bound');
  };

  const nodes = Array.from({ length: scenario.nodes }, () => {
    const cuts = scenario.partitions
      ? Array.from({ length: 2 }, () => ({ from: below(scenario.trafficMs), lasts: 1_000 + below(25_000) }))
      : [];
    const cutNow = () => cuts.some(({ from, lasts }) => now() >= from && now() < from + lasts);
    const rate = 500_000 + below(20_000_000);
    const clockRate = 1 + (random() * 2 - 1) * scenario.drift;
    let journal = new MemoryJournal();
    let life = 0;

    const controlPlane = (born: number): Pick<ControlPlane, 'sync'> => ({
      sync: (request) =>
        new Promise((resolve, reject) => {
          const told = structuredClone(request);
          const lost = () => cutNow() || random() < scenario.loss;
          const deliver = (answered: boolean) => () => {
            if (answered && lost()) return;
            const answer = ledger.sync(told);
            check();
            if (answered) setTimeout(() => !lost() && life === born && resolve(answer), 1 + below(40));
          };
          setTimeout(deliver(true), 1 + below(40));
          if (random() < scenario.loss) setTimeout(deliver(false), below(20_000));
          setTimeout(() => life === born && reject(new Error('no answer')), TIMEOUT_MS);
        }),
    });
    const start = () => {
      const client = new LeaseClient({
        controlPlane: controlPlane(life),
        journal,
        limits: { ...EDGE_LIMITS, graceMs: scenario.graceMs },
        log: silentLog,
        monotonic: () => now() * clockRate,
        carried: { up: 0, down: 0 },
        revoked: () => violations.push('revoked'),
      });
      const meter = client.meter({
        planId: plan.planId,
        username: plan.username,
        epoch: 1,
        fingerprint: fingerprint(''),
        oldFingerprints: [],
        product: 'PREMIUM',
        sessionMinutes: [],
        status: 'ACTIVE',
      });
      return { client, meter, flow: startFlow(meter, (bytes) => (forwarded += BigInt(bytes))) };
    };
    let running = start();
    return {
      carry: () => {
        if (random() < 0.8) running.flow.send(Math.floor(((rate * STEP_MS) / 1_000) * random() * 2));
      },
      crash: () => {
        life++;
        running.flow.stop();
        const heir = scenario.journalLost ? new MemoryJournal() : journal.heir();
        // A lost disk is never reported: the reaper gives its leases up.
        ledger.giveUp(heir.inherited);
        // Later writes of the crashed node are lost.
        journal = heir;
        running = start();
      },
      rest: () => running.flow.stop(),
      stop: () => running.client.close(),
    };
  });

  const crashes = scenario.crashes
    ? nodes.flatMap((node) => Array.from({ length: 2 }, () => ({ at: below(scenario.trafficMs), node })))
    : [];
  while (now() < scenario.trafficMs) {
    for (const node of nodes) node.carry();
    for (const { node } of crashes.filter(({ at }) => at >= now() && at < now() + STEP_MS)) node.crash();
    await time.advance(STEP_MS);
    ledger.time = now();
    ledger.reap(scenario.marginMs);
    check();
    if (violations.length > 0) break;
  }
  for (const node of nodes) node.rest();
  for (let quiet = 0; quiet < scenario.marginMs + 2 * scenario.graceMs + 40_000 && violations.length === 0; quiet += 1_000) {
    await time.advance(1_000);
    ledger.time = now();
    ledger.reap(scenario.marginMs);
    check();
  }
  ledger.close();
  const overUse = forwarded > plan.totalBytes ? forwarded - plan.totalBytes : 0n;
  return { forwarded, settled: plan.usedBytes, leased: ledger.leasedBytes(plan), overUse, hidden: ledger.hidden, violations };
}

/** Traffic that waits when the meter is starved. */
function startFlow(meter: PlanMeter, passed: (bytes: number) => void): Flow & { send(bytes: number): void; stop(): void } {
  let held = 0;
  let over = false;
  const flow = {
    origin: keyed({ country: 'any', session: null, host: 'a.example', client: '192.0.2.1' }),
    lease: undefined,
    part: undefined,
    pause: () => {},
    resume() {
      const waiting = held;
      held = 0;
      flow.send(waiting);
    },
    cut() {
      flow.stop();
    },
    send(bytes: number) {
      if (over || bytes === 0) return;
      // A connection that waits reads nothing.
      if (held > 0) return;
      const taken = meter.take(flow, bytes, false);
      passed(taken);
      held = bytes - taken;
    },
    stop() {
      over = true;
      held = 0;
      meter.flows.delete(flow);
    },
  };
  meter.flows.add(flow);
  return flow;
}
