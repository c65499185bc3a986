// Admits customers at a port, for HTTP and SOCKS5 alike: checks the log-in, then opens connections or UDP associations.
import type { KeyedOrigin } from './protocol/origin.ts';
import type { Upstream } from './dial.ts';
import type { ExitDefinition } from './exit.ts';
import type { FirstByte } from './place-quality.ts';
import type { Meter } from './plan-meter.ts';
import type { RequestRecord } from './request-record.ts';

export interface Credentials {
  username: string;
  password: string;
}

/** How a connection leaves. It may serve another request only when a new one would go exactly this way. */
export interface Way {
  /** The address, or the name for exits that take names. */
  to: string;
  port: number;
  /** Of generated lines: the exit, as it was configured, and what it was told about the line: the session where it has many addresses. */
  exit?: ExitDefinition | undefined;
  country?: string | undefined;
  session?: string | undefined;
}

/** An open connection to the target, counted under `origin`. Call `release` when it ends. */
export interface Opened {
  meter: Meter;
  upstream: Upstream;
  origin: KeyedOrigin;
  /** Set for lines that stay at one exit: the connection may be kept for the customer's next request. */
  way?: Way | undefined;
  /** Where the plan keeps a log of its requests. */
  record?: RequestRecord | undefined;
  /** The id of the client network that the customer has logged in by, without a password. */
  network?: string | undefined;
  /** Of new connections of generated lines: measures the target's answer. */
  firstByte?: FirstByte | undefined;
  release(): void;
}

/** A UDP association: its datagrams leave from one address of this machine. Call `release` when it ends. */
export interface Association {
  meter: Meter;
  client: string;
  address: string;
  record?: RequestRecord | undefined;
  network?: string | undefined;
  originOf(host: string): KeyedOrigin;
  /** Resolves with the address to send to. Rejects when the target is not allowed. */
  judge(host: string, port: number): Promise<string>;
  release(): void;
}

/** A customer whose password is right. Other faults of the line are reported by `open` and `associate`, since SOCKS5 cannot report them at log-in. */
export interface Login {
  /**
   * `kept`: a connection that a former request of the same customer left open. It is counted and checked as a new one; the result has its socket, or, when a
   * new connection would go another way, a new one. Rejects with any code of REFUSALS except those of `logIn`. The caller closes `kept` unless it is used.
   */
  open(host: string, port: number, kept?: Opened): Promise<Opened>;
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
