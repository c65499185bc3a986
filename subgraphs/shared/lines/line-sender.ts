// Sends one request through a proxy line, as a customer's program does: it connects to the proxy, logs in, opens a tunnel and asks a page.
import { request } from 'node:http';
import { type Socket, connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { performance } from 'node:perf_hooks';
import { SECOND } from '#platform/clock.ts';
import { because } from '#platform/errors.ts';
import { readBody } from '#platform/read-body.ts';
import { readVisitor } from '#platform/visitor-page.ts';
import { type Greeting, type GreetingRefusal, httpGreeting, socks5Greeting } from '../../../edge/protocol/proxy-greeting.ts';
import type { LineProtocol } from './line-protocol.ts';
import { type LineExchange, type LineFault, httpFault, socksFault } from './line-test.ts';
import type { ProxyLine } from './read-proxy-line.ts';

/** A line as it is used. */
export interface SentLine extends Omit<ProxyLine, 'scheme'> {
  protocol: LineProtocol;
}

/** Never rejects: a failure is a result. Ends within LIMIT_MS. */
export type LineSender = (line: SentLine, signal: AbortSignal) => Promise<LineExchange>;

export interface LineSenderOptions {
  /** The page that is asked; it answers with the address of its visitor. */
  url: string;
  /** For tests: the authority that has signed the certificates of the proxy and the page, and another limit. */
  ca?: string | undefined;
  limitMs?: number | undefined;
}

/** Less than a gateway waits for a subgraph. */
const LIMIT_MS = 9 * SECOND;
/** The answer is an address and little else. */
const MAX_BYTES = 16_384;

/** A fault on the way, as an error. */
class Faulty extends Error {
  readonly fault: LineFault;

  constructor(fault: LineFault) {
    super('answer' in fault ? fault.answer : fault.reason.code);
    this.fault = fault;
  }
}

const lost = (): Faulty => new Faulty({ reason: because('line_test_lost') });

/** Without the brackets of IPv6. */
const addressOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

export function createLineSender({ url, ca, limitMs = LIMIT_MS }: LineSenderOptions): LineSender {
  const page = new URL(url);
  const target = { address: addressOf(page), port: Number(page.port) || (page.protocol === 'https:' ? 443 : 80) };
  return async (line, signal) => {
    const began = performance.now();
    const since = () => Math.max(1, Math.round(performance.now() - began));
    const limit = AbortSignal.timeout(limitMs);
    const ending = AbortSignal.any([signal, limit]);
    const found: LineExchange = { connectMs: null, firstByteMs: null, upBytes: 0, downBytes: 0, status: null, exit: null, fault: null };
    let tunnel: Tunnel | undefined;
    try {
      const wait = { ca, ending };
      tunnel = await openTunnel(line, target, wait);
      found.connectMs = since();
      const { status, body } = await ask(tunnel, page, wait, () => (found.firstByteMs = since()));
      found.status = status;
      if (status < 200 || status > 299) throw new Faulty({ reason: because('line_test_page', { status }) });
      const exit = readVisitor(body);
      if (!exit) throw new Faulty({ reason: because('line_test_words') });
      found.exit = exit;
    } catch (error) {
      if (limit.aborted) found.fault = { reason: because('line_test_silent', { seconds: limitMs / SECOND }) };
      else found.fault = error instanceof Faulty ? error.fault : lost().fault;
    }
    if (!tunnel) return found;
    const { socket, before } = tunnel;
    socket.destroy();
    return { ...found, upBytes: socket.bytesWritten - before.up, downBytes: socket.bytesRead - before.down };
  };
}

/** An open tunnel, and what its socket had carried before: the handshake with the proxy. Proxy nodes count neither that nor the TLS around it. */
interface Tunnel {
  /** Paused. */
  socket: Socket;
  before: { up: number; down: number };
}

interface Wait {
  ca?: string | undefined;
  ending: AbortSignal;
}

async function openTunnel(line: SentLine, target: { address: string; port: number }, wait: Wait): Promise<Tunnel> {
  if (line.protocol !== 'SOCKS5') return greet(await reachProxy(line, wait), httpGreeting(line, target), wait);
  try {
    return await greet(await reachProxy(line, wait), socks5Greeting(line, target), wait);
  } catch (error) {
    // SOCKS5 has eight replies for everything: every port takes HTTP as well, and that has the reason. No byte of it is counted.
    if (!(error instanceof Faulty) || wait.ending.aborted) throw error;
    const exact = await greet(await reachProxy(line, wait), httpGreeting(line, target), wait).then(
      ({ socket }) => void socket.destroy(),
      (refused: unknown) => refused,
    );
    throw exact instanceof Faulty && 'answer' in exact.fault ? exact : error;
  }
}

/** TLS errors that say that the proxy is not who it should be; others are those of the connection. */
const isOfCertificate = (code: string | undefined): boolean =>
  code !== undefined && /^(CERT_|DEPTH_|SELF_|UNABLE_|ERR_TLS_CERT)/.test(code);

/** Whom the other side has to prove to be: bare addresses are proved too, but not asked by name (RFC 6066, 3). */
const identityOf = (host: string, ca: string | undefined) => ({
  host,
  ...(isIP(host) === 0 && { servername: host }),
  ...(ca !== undefined && { ca }),
});

function reachProxy({ host, port, protocol }: SentLine, { ca, ending }: Wait): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (code?: string) => {
      socket.destroy();
      const why = isOfCertificate(code)
        ? because('line_test_certificate', { host, port })
        : because('line_test_unreachable', { host, port });
      reject(new Faulty({ reason: why }));
    };
    const failed = ({ code }: NodeJS.ErrnoException) => fail(code);
    const stopped = () => fail();
    const socket: Socket = protocol === 'HTTPS' ? connectTls({ port, ...identityOf(host, ca) }) : connect({ host, port });
    socket.setNoDelay(true);
    socket.once('error', failed);
    ending.addEventListener('abort', stopped, { once: true });
    socket.once(protocol === 'HTTPS' ? 'secureConnect' : 'connect', () => {
      socket.removeListener('error', failed);
      ending.removeEventListener('abort', stopped);
      resolve(socket);
    });
  });
}

/** Logs in and opens the tunnel; resolves when the target is connected. */
function greet(socket: Socket, greeting: Greeting, { ending }: Wait): Promise<Tunnel> {
  return new Promise((resolve, reject) => {
    let collected: Buffer = Buffer.alloc(0);
    const settle = (done: () => void) => {
      socket.off('data', came).off('end', gone).off('close', gone).off('error', gone);
      // Whoever uses it next hears of errors too; until then nobody has to.
      socket.on('error', () => {});
      ending.removeEventListener('abort', gone);
      done();
    };
    const lose = (fault: Faulty) =>
      settle(() => {
        socket.destroy();
        reject(fault);
      });
    const gone = () => lose(lost());
    const came = (bytes: Buffer) => {
      collected = Buffer.concat([collected, bytes]);
      const step = greeting.read(collected);
      if (step === undefined) return;
      if ('refusal' in step) return lose(refusedBy(step.refusal, collected));
      collected = collected.subarray(step.used);
      if ('send' in step) socket.write(step.send);
      else
        settle(() => {
          socket.pause();
          if (collected.length > 0) socket.unshift(collected);
          resolve({ socket, before: { up: socket.bytesWritten, down: socket.bytesRead - socket.readableLength } });
        });
    };
    socket.on('data', came).once('end', gone).once('close', gone).once('error', gone);
    ending.addEventListener('abort', gone, { once: true });
    socket.write(greeting.hello);
  });
}

function refusedBy(refusal: GreetingRefusal, collected: Buffer): Faulty {
  if ('status' in refusal) return new Faulty(httpFault(refusal.status, refusal.head, collected.toString('utf8', refusal.head.length)));
  if ('reply' in refusal) return new Faulty(socksFault(refusal.reply));
  return 'login' in refusal ? new Faulty({ answer: 'proxy_credentials_wrong' }) : lost();
}

/** One GET on the tunnel. `begun`: the answer's head is there. */
function ask({ socket }: Tunnel, page: URL, { ca, ending }: Wait, begun: () => void): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const failed = () => reject(lost());
    const asked = request(
      {
        method: 'GET',
        path: `${page.pathname}${page.search}`,
        headers: { Host: page.host, Accept: 'application/json, text/plain;q=0.9', 'User-Agent': 'egress-line-test', Connection: 'close' },
        signal: ending,
        createConnection: () => (page.protocol === 'https:' ? connectTls({ socket, ...identityOf(addressOf(page), ca) }) : socket),
      },
      (response) => {
        begun();
        // From here on the body tells whether it is whole: the request may close before that is read.
        asked.off('close', failed);
        readBody(response, MAX_BYTES).then((body) => resolve({ status: response.statusCode ?? 0, body: body.toString('utf8') }), failed);
      },
    );
    // It reads by then: what the proxy has sent early is not lost.
    asked.once('socket', (used) => void used.resume());
    asked.on('error', failed).on('close', failed);
    asked.end();
  });
}
