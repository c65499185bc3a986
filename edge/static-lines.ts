// Serves the static plans whose addresses belong to this machine: each address is a listener and an exit. While the platform does not answer, they stay
// as they were, since they are paid for by the month.
import { SECOND } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import type { Log } from '#platform/log.ts';
import type { ControlPlane } from './protocol/control-plane.ts';
import type { StaticEndpoint, StaticPlanFacts } from './protocol/static-plan.ts';
import type { ListenOptions, Listening, Listeners } from './listener.ts';
import { MAX_NETWORKS_USED } from './protocol/messages.ts';
import { StaticLine, type StaticLineOptions } from './static-line.ts';

export interface StaticLinesOptions extends StaticLineOptions {
  controlPlane: Pick<ControlPlane, 'staticPlans' | 'follow'>;
  listeners: Listeners;
  log: Log;
}

interface Served {
  line: StaticLine;
  /** Undefined: the address is not on this machine, or its port is taken. */
  listening: Listening | undefined;
  /** Where customers speak TLS to the same address. */
  secure: Secure | undefined;
}

interface Secure {
  port: number;
  /** Undefined: as above. */
  listening: Listening | undefined;
}

/** How often to look for addresses that were added to this machine and for ports that became free. */
const RETRY_MS = 30 * SECOND;

export class StaticLines {
  readonly #options: StaticLinesOptions;
  /** Plan -> "address:port" -> line. */
  readonly #plans = new Map<string, Map<string, Served>>();
  readonly #stale = new Set<string>();
  #allStale = true;
  #feedStands = false;
  #work: Promise<void> | undefined;
  readonly #stopFollowing: () => void;
  readonly #retries: NodeJS.Timeout;
  #closed = false;

  constructor(options: StaticLinesOptions) {
    this.#options = options;
    this.#stopFollowing = options.controlPlane.follow({
      changed: () => {},
      staticChanged: (planId) => {
        if (planId === undefined) this.#allStale = true;
        else this.#stale.add(planId);
        this.#refresh();
      },
      beat: () => {
        // Changes may have been missed.
        if (!this.#feedStands) this.#allStale = true;
        this.#feedStands = true;
        if (this.#allStale || this.#stale.size > 0) this.#refresh();
      },
      lost: () => {
        this.#feedStands = false;
      },
    });
    this.#retries = setInterval(() => {
      this.#allStale = true;
      this.#refresh();
    }, RETRY_MS);
    this.#retries.unref();
  }

  /** The number of addresses served here. */
  get count(): number {
    let count = 0;
    for (const lines of this.#plans.values()) for (const { listening } of lines.values()) if (listening) count++;
    return count;
  }

  /** The number of open tunnels and exchanges. */
  get tunnels(): number {
    let count = 0;
    for (const lines of this.#plans.values()) for (const { line } of lines.values()) count += line.connections;
    return count;
  }

  /** Ids of the networks that somebody has come from recently, without a password or, where both are needed, with it. */
  networksUsed(): string[] {
    const used = new Set<string>();
    for (const lines of this.#plans.values()) for (const { line } of lines.values()) for (const id of line.networksUsed()) used.add(id);
    return [...used].slice(0, MAX_NETWORKS_USED);
  }

  /** Listens again, after a drain. */
  again(): void {
    for (const lines of this.#plans.values()) for (const served of lines.values()) served.listening = served.secure = undefined;
    this.#allStale = true;
    this.#refresh();
  }

  /** Resolves when all known changes are applied, for tests and the start. */
  async settled(): Promise<void> {
    this.#refresh();
    await this.#work;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#retries);
    this.#stopFollowing();
    await this.#work;
  }

  #refresh(): void {
    this.#work ??= this.#catchUp().finally(() => {
      this.#work = undefined;
    });
  }

  async #catchUp(): Promise<void> {
    while (!this.#closed && (this.#allStale || this.#stale.size > 0)) {
      const ids = this.#allStale ? undefined : [...this.#stale];
      this.#allStale = false;
      this.#stale.clear();
      let plans: readonly StaticPlanFacts[];
      try {
        plans = await this.#options.controlPlane.staticPlans(ids);
      } catch (error) {
        this.#options.log.warn({ error: String(error) }, 'static plans cannot be looked up');
        if (ids) for (const id of ids) this.#stale.add(id);
        else this.#allStale = true;
        // The next beat asks again.
        return;
      }
      const known = new Map(plans.map((plan) => [plan.planId, plan]));
      // End lines first: an address may move from one plan to another.
      for (const planId of ids ?? [...this.#plans.keys()]) this.#end(planId, known.get(planId));
      for (const plan of plans) await this.#serve(plan);
    }
  }

  /** Ends lines that the plan no longer has. */
  #end(planId: string, plan: StaticPlanFacts | undefined): void {
    const lines = this.#plans.get(planId);
    if (!lines) return;
    const present = new Set(plan?.endpoints.map(({ address, port }) => `${address}:${port}`));
    for (const [key, { line, listening, secure }] of lines) {
      if (present.has(key)) continue;
      lines.delete(key);
      listening?.close();
      secure?.listening?.close();
      line.cut(fail('proxy_credentials_wrong'));
    }
    if (lines.size === 0) this.#plans.delete(planId);
  }

  async #serve(plan: StaticPlanFacts): Promise<void> {
    const lines = this.#plans.get(plan.planId) ?? new Map<string, Served>();
    this.#plans.set(plan.planId, lines);
    for (const endpoint of plan.endpoints) {
      const { address, port } = endpoint;
      const key = `${address}:${port}`;
      const served = lines.get(key);
      served?.line.update(plan, endpoint);
      const line = served?.line ?? new StaticLine(endpoint, plan, this.#options);
      const listening = served?.listening ?? (await this.#listen(address, port, { admission: line }));
      lines.set(key, { line, listening, secure: await this.#listenSecurely(line, endpoint, served?.secure) });
    }
  }

  /** Follows the port where customers speak TLS: there is none without a certificate here. */
  async #listenSecurely(
    admission: StaticLine,
    { address, securePort }: StaticEndpoint,
    now: Secure | undefined,
  ): Promise<Secure | undefined> {
    if (now && now.port !== securePort) now.listening?.close();
    if (securePort === undefined || !this.#options.listeners.isSecure) return undefined;
    const standing = now?.port === securePort ? now.listening : undefined;
    return { port: securePort, listening: standing ?? (await this.#listen(address, securePort, { admission, secure: true })) };
  }

  async #listen(address: string, port: number, options: ListenOptions): Promise<Listening | undefined> {
    try {
      return await this.#options.listeners.listen({ address, port }, options);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRNOTAVAIL') this.#options.log.warn({ address, port, error: code }, 'a static address cannot be listened on');
      return undefined;
    }
  }
}
