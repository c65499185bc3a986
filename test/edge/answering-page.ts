// A page on loopback that tests of lines ask: `answer` is what it sends to a visitor, by its address.
import { type Server, type Socket, createServer } from 'node:net';

export const ok = (body: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;

export interface AnsweringPage {
  /** Undefined: it never answers. */
  answer: (address: string) => string | undefined;
  requests: string[];
  port: number;
  server: Server;
  /** It tells each visitor its address, and has heard of nobody. */
  reset(): void;
}

export async function startAnsweringPage(): Promise<AnsweringPage> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      page.requests.push(bytes.toString('latin1'));
      const answer = page.answer(socket.remoteAddress ?? '');
      if (answer !== undefined) socket.end(answer);
    });
  });
  server.on('close', () => sockets.forEach((socket) => socket.destroy()));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const page: AnsweringPage = {
    answer: () => undefined,
    requests: [],
    port: (server.address() as { port: number }).port,
    server,
    reset() {
      page.answer = (address) => ok(JSON.stringify({ address }));
      page.requests.length = 0;
    },
  };
  page.reset();
  return page;
}
