// Checks a line from outside, as a customer uses it: by an HTTP request through the line to a page that answers with its visitor's address.
import { request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { readVisitor } from '#platform/visitor-page.ts';
import { type CheckResult, type HealthProblem, TOO_SLOW_MS } from '../domain/health.ts';

export interface Line {
  ip: string;
  port: number;
  username: string;
  password: string;
}

/** Never rejects: a failure is a result. */
export type Prober = (line: Line, signal: AbortSignal) => Promise<CheckResult>;

/** The answer is an address and little else. */
const MAX_BYTES = 4_096;

/** `checkUrl` is plain http: the request is sent to the proxy in absolute form. */
export const httpProber =
  (checkUrl: string): Prober =>
  (line, signal) =>
    new Promise((resolve) => {
      const began = performance.now();
      const fails = (problem: HealthProblem) => resolve({ ok: false, problem });
      const authorization = `Basic ${Buffer.from(`${line.username}:${line.password}`).toString('base64')}`;
      const limit = AbortSignal.timeout(TOO_SLOW_MS);
      const asked = request(
        {
          host: line.ip,
          port: line.port,
          path: checkUrl,
          headers: { Host: new URL(checkUrl).host, 'Proxy-Authorization': authorization, Connection: 'close' },
          agent: false,
          signal: AbortSignal.any([signal, limit]),
        },
        (response) => {
          let body = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => {
            body += part;
            if (body.length > MAX_BYTES) response.destroy();
          });
          response.on('error', () => fails(limit.aborted ? 'TOO_SLOW' : 'UNREACHABLE'));
          response.on('end', () => {
            if (response.statusCode !== 200) fails('REFUSED');
            else if (readVisitor(body)?.address !== line.ip) fails('WRONG_EXIT');
            else resolve({ ok: true, latencyMs: Math.max(1, Math.round(performance.now() - began)) });
          });
        },
      );
      asked.on('error', () => fails(limit.aborted ? 'TOO_SLOW' : 'UNREACHABLE'));
      // The socket closed without another result: the answer was too long, or broke off.
      asked.on('close', () => fails(limit.aborted ? 'TOO_SLOW' : 'UNREACHABLE'));
      asked.end();
    });
