// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';

export interface ServerOperationError {
  code: string;
  message: string;
}

export interface CheckProxyLineData {
  works: boolean;
  /** Every reason why it does not work; empty when it does. */
  problems: ServerOperationError[];
  /** The product_id of the plan that it belongs to. */
  product: string | null;
  /** http, https or socks5. */
  scheme: string | null;
  /** The proxy. */
  host: string | null;
  port: number | null;
  /** As the line carries it. */
  username: string | null;
  /** The place that it asks for, as the username carries it; several countries are joined by an underscore. */
  country: string | null;
  /** Countries that it leaves out, likewise. */
  exclude: string | null;
  state: string | null;
  city: string | null;
  /** The session number of a sticky line. */
  session: string | null;
  /** How often the session has asked for another address. */
  turn: number | null;
  session_minutes: number | null;
}

export interface ProxyFault {
  code: string;
  message: string;
  /** How to mend it, where the message does not say. */
  hint: string | null;
}

export interface LineExit {
  address: string;
  /** Lower-case ISO 3166 code. */
  country: string | null;
  /** Null, like all that follow: nobody tells. */
  state: string | null;
  city: string | null;
  /** Number of the autonomous system. */
  asn: number | null;
  /** Who holds the network. */
  carrier: string | null;
}

export interface TestProxyLineData {
  /** A page answered through the line, from a country that the line asks for. */
  works: boolean;
  /** What is wrong with the line by itself, as check_proxy_line tells. */
  problems: ServerOperationError[];
  /** The product_id of the plan that it belongs to. */
  product: string | null;
  /** False: nothing was sent, for the reasons in problems. */
  sent: boolean;
  /** What was wrong with the request that was sent: the code that the proxy told, or one of tests of lines. */
  fault: ProxyFault | null;
  /** http, https or socks5. */
  protocol: string | null;
  /** Until the tunnel to the target was open, since the connection to the proxy was begun. */
  connect_ms: number | null;
  /** Until the first byte of the target's answer, likewise. */
  first_byte_ms: number | null;
  /** What the target answered. */
  status: number | null;
  /** Where the target saw the line. */
  exit: LineExit | null;
  /** Who says where that is: the page that was asked, or the operator. */
  place_source: 'target' | 'exit' | null;
  /** Counted against the plan. */
  up_bytes: number;
  down_bytes: number;
}

export interface CheckProxyLineInput {
  /** The line as it is used. */
  line: string;
}

export interface TestProxyLineInput {
  /** The line as it is used. */
  line: string;
}

export const residentialLinesMethods = (call: Call) => ({
  /**
   * Whether a line of the account's residential plans works now, and if not, every reason why: form, password, place, time, or the plan
   * itself. Takes host:port:user:pass, user:pass@host:port, URLs and the like. Nothing is sent through the line. Scope of the key:
   * `generate`.
   */
  checkProxyLine: (input: CheckProxyLineInput, options?: CallOptions): Promise<CheckProxyLineData> =>
    call<CheckProxyLineData>({ method: 'POST', path: '/v1/residential/lines/check' }, input, options),

  /**
   * Sends one real request through a line of the account's residential plans, and tells the address, place and network that the target
   * sees, how long it took, and what was wrong with how to mend it. Its traffic, some hundred bytes, is counted against the plan. Ten a
   * minute for an account. To find mistakes in a line without traffic, call check_proxy_line; for lines of ISP and datacenter plans,
   * test_static_line. Scope of the key: `generate`.
   */
  testProxyLine: (input: TestProxyLineInput, options?: CallOptions): Promise<TestProxyLineData> =>
    call<TestProxyLineData>({ method: 'POST', path: '/v1/residential/lines/test' }, input, options),
});
