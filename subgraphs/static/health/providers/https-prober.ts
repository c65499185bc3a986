// Checks the port of an address where customers speak TLS to the proxy, as a customer uses it; the certificate is judged as their programs judge it.
import { createLineSender } from '#lines/line-sender.ts';
import type { LineFault } from '#lines/line-test.ts';
import { type HttpsProblem, TOO_SLOW_MS } from '../domain/health.ts';
import type { Line } from './prober.ts';

/** Never rejects. Null: it works. */
export type HttpsProber = (line: Line, signal: AbortSignal) => Promise<HttpsProblem | null>;

export interface HttpsProberOptions {
  checkUrl: string;
  /** HOST:PORT of an address, as its lines for HTTPS have it. */
  socketOf: (ip: string) => string;
  /** For tests: the authority that has signed the certificate. */
  ca?: string | undefined;
}

export function httpsProber({ checkUrl, socketOf, ca }: HttpsProberOptions): HttpsProber {
  const send = createLineSender({ url: checkUrl, ca, limitMs: TOO_SLOW_MS });
  return async ({ ip, username, password }, signal) => {
    const socket = socketOf(ip);
    const at = socket.lastIndexOf(':');
    const line = { host: socket.slice(0, at), port: Number(socket.slice(at + 1)), username, password, protocol: 'HTTPS' } as const;
    const { fault, exit } = await send(line, signal);
    if (fault) return problemOf(fault);
    return exit?.address === ip ? null : 'WRONG_EXIT';
  };
}

const BY_REASON: Partial<Record<string, HttpsProblem>> = {
  line_test_certificate: 'CERTIFICATE',
  line_test_silent: 'TOO_SLOW',
  line_test_page: 'REFUSED',
  line_test_refused: 'REFUSED',
};

const problemOf = (fault: LineFault): HttpsProblem => ('answer' in fault ? 'REFUSED' : (BY_REASON[fault.reason.code] ?? 'UNREACHABLE'));
