// Plays a customer's webhook receiver. It verifies signatures by the specification, not by our code, and answers as a test tells it to, or badly.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { readBody } from '#platform/read-body.ts';

export interface Heard {
  id: string;
  type: string;
  timestamp: number;
  body: string;
  data: Record<string, unknown>;
  path: string;
}

/** What the receiver does with a request: it answers a status, or does something that no honest server does. */
export type Behaviour = number | 'stall' | 'hang_up' | 'endless' | 'garbage' | { status: number; headers: Record<string, string> };

/**
 * The check of the specification, "Verifying webhooks": the signed content is id, timestamp and body joined by full stops, the key is the base64 after
 * `whsec_`, and any of the signatures may be the right one. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function isSigned(headers: IncomingMessage['headers'], body: string, secret: string): boolean {
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const right = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(content)
    .digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .some((part) => {
      const [version, given = ''] = part.split(',');
      const bytes = Buffer.from(given, 'base64');
      return version === 'v1' && bytes.length === right.length && timingSafeEqual(bytes, right);
    });
}

export async function startReceiver() {
  const heard: Heard[] = [];
  const requests: { headers: IncomingMessage['headers']; body: string; behaviour: Behaviour }[] = [];
  const sockets = new Set<Socket>();
  let behave: (request: { type: string; count: number }) => Behaviour = () => 204;
  const server: Server = createServer(async (request, response) => {
    const body = (await readBody(request, 1_000_000)).toString('utf8');
    const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
    const behaviour = behave({ type, count: requests.length });
    requests.push({ headers: request.headers, body, behaviour });
    if (behaviour === 'stall') return;
    if (behaviour === 'hang_up') return void request.socket.destroy();
    if (behaviour === 'garbage') return void request.socket.end('HTTP/9.9 maybe\r\n\r\n');
    const { status, headers } =
      typeof behaviour === 'object' ? behaviour : { status: behaviour === 'endless' ? 200 : behaviour, headers: {} };
    if (status < 300)
      heard.push({
        id: String(request.headers['webhook-id']),
        type,
        timestamp: Number(request.headers['webhook-timestamp']),
        body,
        data,
        path: request.url ?? '',
      });
    response.writeHead(status, headers);
    if (behaviour !== 'endless') return void response.end('as you say\0');
    // The answer announces its end and never comes to it.
    const more = setInterval(() => response.write('x'.repeat(1_000)), 1);
    request.socket.once('close', () => clearInterval(more));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    /** The webhooks that the receiver accepted, in the order in which they came. */
    heard,
    /** All requests that came. */
    requests,
    behave: (how: typeof behave) => void (behave = how),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
