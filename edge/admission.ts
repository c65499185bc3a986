// Admits customers at a port, for HTTP and SOCKS5 alike: checks the log-in, then opens connections or UDP associations.
import type { KeyedOrigin } from './protocol/origin.ts';
import type { Upstream } from './dial.ts';
import type { Meter } from './plan-meter.ts';
import type { RequestRecord } from './request-record.ts';

export interface Credentials {
  username: string;
  password: string;
}

/** An open connection to the target, counted under `origin`. Call `release` when it ends. */
export interface Opened {
  meter: Meter;
  upstream: Upstream;
  origin: KeyedOrigin;
  /** Where the plan keeps a log of its requests. */
  record?: RequestRecord | undefined;
  release(): void;
}

/** A UDP association: its datagrams leave from one address of this machine. Call `release` when it ends. */
export interface Association {
  meter: Meter;
  client: string;
  address: string;
  record?: RequestRecord | undefined;
  originOf(host: string): KeyedOrigin;
  /** Resolves with the address to send to. Rejects when the target is not allowed. */
  judge(host: string, port: number): Promise<string>;
  release(): void;
}

/** A customer whose password is right. Other faults of the line are reported by `open` and `associate`, since SOCKS5 cannot report them at log-in. */
export interface Login {
  /** Rejects with any code of REFUSALS except those of `logIn`. */
  open(host: string, port: number): Promise<Opened>;
  /** Rejects as `open` does, and with `exit_unavailable` when the chosen exit is not an address of this machine: others take no datagrams. */
  associate(): Promise<Association>;
}

/** Admits customers at a port: for all generated lines, or for one static address. */
export interface Admission {
  /**
   * Throws `proxy_credentials_required`, `proxy_credentials_wrong`, `proxy_password_replaced` or `metering_unavailable`; after too many wrong
   * passwords it rejects with `too_many_attempts`, after a delay. Right credentials always pass, whatever was tried before.
   */
  logIn(credentials: Credentials | undefined, client: string): Login | Promise<Login>;
}
