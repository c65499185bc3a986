// Gets the certificate of a node by ACME, and renews it when its authority suggests; without a suggestion, when two thirds of its life are over.
import { setTimeout as setTimer } from 'node:timers/promises';
import { type Clock, HOUR, MINUTE, after } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { AccountKey } from './account-key.ts';
import type { AcmeSettings } from './acme-setting.ts';
import { type ChallengeCertificate, answerInHandshake, requestCertificate } from './certificate-request.ts';
import type { CertificateStore, Kept } from './certificate-store.ts';
import { type Prover, enterAccount, orderCertificate } from './order.ts';
import { PageChallenges } from './page-challenges.ts';
import { renewalIdOf } from './renewal-info.ts';
import { Renewal } from './renewal.ts';
import { AcmeProblem, AcmeSession } from './session.ts';

/**
 * After so many failures the next try waits so long, the last one from then on. Let's Encrypt refuses a sixth failed validation of a name within an hour
 * (https://letsencrypt.org/docs/rate-limits/).
 */
const WAITS_MS = [15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR] as const;
const LOOK_MS = MINUTE;
/** Between two orders: an authority that calls each certificate overdue gets no more. */
const LEAST_BETWEEN_MS = HOUR;

/** What the node does with it. */
export interface CertificateUser {
  /** Answers these challenges on its TLS ports from now on, and no others; and takes up a certificate that has changed. */
  followOrder(challenges: readonly ChallengeCertificate[]): Promise<void>;
}

export interface CertificateFigures {
  /** Undefined: there is none yet. */
  ends: Date | undefined;
  /** Orders that have failed since the last that succeeded. */
  failures: number;
}

export interface CertificateKeeperOptions {
  settings: AcmeSettings;
  store: CertificateStore;
  user: CertificateUser;
  clock: Clock;
  log: Log;
  /** For tests. */
  lookMs?: number;
}

export class CertificateKeeper {
  readonly #options: CertificateKeeperOptions;
  readonly #pages: PageChallenges | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #closing = new AbortController();
  #certificate: Kept | undefined;
  readonly #renewal: Renewal;
  #failures: number;
  #nextTryAt: Date;
  #ordering: Promise<void> | undefined;

  constructor(options: CertificateKeeperOptions) {
    this.#options = options;
    const { settings, store, clock } = options;
    this.#pages = settings.httpListen && new PageChallenges(settings.httpListen);
    this.#certificate = store.certificate();
    this.#renewal = new Renewal({ clock, log: options.log, open: () => this.#open() });
    const before = store.orders();
    this.#failures = before?.failures ?? 0;
    // Somebody may have mended it and started the node again; a node that starts over and over may not try each time.
    this.#nextTryAt = before && before.failures > 0 ? after(before.triedAt, WAITS_MS[0]) : clock.now();
    this.#timer = setInterval(() => void this.look(), options.lookMs ?? LOOK_MS).unref();
  }

  figures(): CertificateFigures {
    return { ends: this.#certificate?.validTo, failures: this.#failures };
  }

  /** Orders a certificate if it is time to. Never rejects: a failure is logged, and tried again later. */
  look(): Promise<void> {
    this.#ordering ??= this.#look().finally(() => {
      this.#ordering = undefined;
    });
    return this.#ordering;
  }

  async #look(): Promise<void> {
    if (this.#isDue()) return this.#try();
    const kept = this.#certificate;
    if (!kept || this.#closing.signal.aborted) return;
    await this.#renewal.ask(kept);
    if (this.#isDue()) await this.#try();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#ordering;
    await this.#pages?.close();
  }

  #isDue(): boolean {
    const now = this.#options.clock.now();
    if (this.#closing.signal.aborted || now < this.#nextTryAt) return false;
    const kept = this.#certificate;
    return !kept || !this.#options.settings.names.every((name) => kept.names.includes(name)) || now >= this.#renewal.due(kept);
  }

  async #try(): Promise<void> {
    const { clock, log, store, settings } = this.#options;
    const triedAt = clock.now();
    try {
      await this.#order();
      this.#failures = 0;
      this.#nextTryAt = after(triedAt, LEAST_BETWEEN_MS);
      store.keepOrders({ failures: 0, triedAt });
      log.info({ names: settings.names, ends: this.#certificate?.validTo }, 'the certificate is here');
      await this.#options.user.followOrder([]);
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#failures++;
      const asked = error instanceof AcmeProblem ? (error.retryAfterMs ?? 0) : 0;
      const wait = Math.max(WAITS_MS[Math.min(this.#failures, WAITS_MS.length) - 1] ?? 0, asked);
      this.#nextTryAt = after(triedAt, wait);
      store.keepOrders({ failures: this.#failures, triedAt });
      log.error(
        { names: settings.names, error: String(error), failures: this.#failures, nextTry: this.#nextTryAt },
        'the certificate cannot be ordered',
      );
    }
  }

  async #order(): Promise<void> {
    const { settings, store } = this.#options;
    const { names, contact, external } = settings;
    const { signal } = this.#closing;
    // Of another account it is no certificate to replace.
    const before = store.account()?.directory === settings.directory ? this.#certificate : undefined;
    const session = await this.#open();
    try {
      session.account = await enterAccount(session, { contact, external });
      const { key, request } = await requestCertificate(names);
      const replaces = before && session.directory.renewalInfo !== undefined ? renewalIdOf(before.chain) : undefined;
      const wish = { names, prover: this.#prover(), request, replaces, pause: pauseUnless(signal) };
      store.keepCertificate(await orderCertificate(session, wish), key);
      this.#certificate = store.certificate();
    } finally {
      await session.close();
    }
  }

  #open(): Promise<AcmeSession> {
    const { settings, clock } = this.#options;
    const { directory: directoryUrl, ca } = settings;
    return AcmeSession.open({ directoryUrl, ca, key: this.#accountKey(), now: () => clock.now(), signal: this.#closing.signal });
  }

  /** The key of the account at this authority: another authority has another account. */
  #accountKey(): AccountKey {
    const { settings, store } = this.#options;
    const known = store.account();
    if (known?.directory === settings.directory) return new AccountKey(known.key);
    const key = AccountKey.make();
    store.keepAccount({ directory: settings.directory, key });
    return new AccountKey(key);
  }

  #prover(): Prover {
    const { user, clock } = this.#options;
    const pages = this.#pages;
    if (pages) return { challenge: 'http-01', show: (proofs) => pages.show(proofs) };
    return {
      challenge: 'tls-alpn-01',
      show: async (proofs) => user.followOrder(await Promise.all(proofs.map((proof) => answerInHandshake(proof, clock.now())))),
    };
  }
}

/** Begins at once: what is due is ordered while the node starts. */
export function keepCertificate(options: CertificateKeeperOptions): CertificateKeeper {
  const keeper = new CertificateKeeper(options);
  void keeper.look();
  return keeper;
}

/** Rejects when it is told to end. */
const pauseUnless = (signal: AbortSignal) => (ms: number) => setTimer(ms, undefined, { signal, ref: false });
