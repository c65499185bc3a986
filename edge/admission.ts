// The way in at a port, whatever protocol asks: who is it, may it, and what its right login opens.
import type { KeyedOrigin } from './protocol/origin.ts';
import type { Upstream } from './dial.ts';
import type { Meter } from './plan-meter.ts';

export interface Credentials {
  username: string;
  password: string;
}

/** A connection to the target, counted under `origin`. `release` once it is over. */
export interface Opened {
  meter: Meter;
  upstream: Upstream;
  origin: KeyedOrigin;
  release(): void;
}

/** Datagrams of a login leave from one address of this machine. `release` once it is over. */
export interface Association {
  meter: Meter;
  client: string;
  address: string;
  originOf(host: string): KeyedOrigin;
  /** The address to send to. Throws when the target is not allowed. */
  judge(host: string, port: number): Promise<string>;
  release(): void;
}

/** Somebody whose password is right; what else is wrong with the line is told at the request, since SOCKS5 has no words for it before. */
export interface Login {
  /** Throws every code of REFUSALS but those of `logIn`. */
  open(host: string, port: number): Promise<Opened>;
  /** Throws as `open` does; `exit_unavailable` where only parent proxies stand, which take no datagrams from us. */
  associate(): Promise<Association>;
}

/** The way in at a port: of all generated lines, or of one static address. */
export interface Admission {
  /**
   * Throws `proxy_credentials_required`, `proxy_credentials_wrong`, `proxy_password_replaced` or `metering_unavailable`; rejects late with `too_many_attempts` where wrong ones
   * came again and again. Right credentials pass whatever was tried before.
   */
  logIn(credentials: Credentials | undefined, client: string): Login | Promise<Login>;
}
