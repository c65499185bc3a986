// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';
import type { LineExit, ProxyFault, ServerOperationError } from './residential-lines.ts';

export interface TestStaticLineData {
  /** A page answered through the line, and saw its address. */
  works: boolean;
  /** What is wrong with the line by itself: whose it is, its address, port, password, or the plan. */
  problems: ServerOperationError[];
  /** The static plan that it belongs to (_id). */
  plan_id: string | null;
  /** The address of the plan that it leads to. */
  ip: string | null;
  /** Where that is, as it is sold. */
  location: string | null;
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
}

export interface TestStaticLineInput {
  /** The line as it is used. */
  line: string;
}

export const staticLinesMethods = (call: Call) => ({
  /**
   * Sends one real request through a line of the account's ISP or datacenter plans, with the username and password in it, and tells the
   * address that the target sees, its place, how long it took, and what was wrong with how to mend it. Takes lines for HTTP, SOCKS5
   * (socks5://user:pass@ip:port) and HTTPS. Ten a minute for an account. Scope of the key: `generate`.
   */
  testStaticLine: (input: TestStaticLineInput, options?: CallOptions): Promise<TestStaticLineData> =>
    call<TestStaticLineData>({ method: 'POST', path: '/v1/static/lines/test' }, input, options),
});
