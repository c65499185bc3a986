// Deliberately slow clients, one row per kind: what each sends first, what it sends slowly afterwards, and how it reads.
import { type Socket, connect } from 'node:net';

export interface SlowKind {
  name: string;
  port: 'public' | 'http' | 'socks5';
  /** Sent after connecting. */
  opening: string | Buffer;
  /** Sent once a second from then on. */
  drip?: string | Buffer;
  /** Reads this many bytes every three seconds; absent: everything. */
  readsBytes?: number;
}

const UPGRADE =
  'GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n';

export const SLOW_KINDS: readonly SlowKind[] = [
  { name: 'never speaks', port: 'public', opening: '' },
  { name: 'drips headers', port: 'public', opening: 'GET / HTTP/1.1\r\nHost: localhost\r\n', drip: 'X-Slow: 1\r\n' },
  {
    name: 'drips a body',
    port: 'public',
    opening: 'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{',
    drip: ' ',
  },
  {
    name: 'drips chunks',
    port: 'public',
    opening: 'POST /auth/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    drip: '1\r\n \r\n',
  },
  {
    name: 'drips a reading',
    port: 'public',
    opening: 'GET /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n',
    readsBytes: 32,
  },
  { name: 'upgrades and is silent', port: 'public', opening: UPGRADE },
  // The first byte of a masked text frame, then its length byte by byte.
  { name: 'drips a frame', port: 'public', opening: UPGRADE, drip: Buffer.from([0x01]) },
  { name: 'never speaks', port: 'http', opening: '' },
  { name: 'drips headers', port: 'http', opening: 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n', drip: 'X-Slow: 1\r\n' },
  { name: 'never speaks', port: 'socks5', opening: '' },
  { name: 'drips a greeting', port: 'socks5', opening: Buffer.from([5]), drip: Buffer.from([200]) },
];

export interface SlowClient {
  kind: SlowKind;
  /** The other side has ended or refused the connection. */
  ended: boolean;
  /** Writes, since a client that does not read notices the end only by a failed write. */
  probe(): void;
  close(): void;
}

/** `from`: the client's loopback address. */
export function startSlowClient(kind: SlowKind, port: number, from: string): SlowClient {
  const socket: Socket = connect({ host: '127.0.0.1', port, localAddress: from });
  let timer: NodeJS.Timeout | undefined;
  const client: SlowClient = {
    kind,
    ended: false,
    probe: () => void socket.write('\n'),
    close() {
      clearInterval(timer);
      socket.destroy();
    },
  };
  socket.on('error', () => {});
  socket.once('close', () => {
    client.ended = true;
    clearInterval(timer);
  });
  socket.once('connect', () => {
    if (kind.opening.length > 0) socket.write(kind.opening);
    if (kind.readsBytes === undefined) socket.resume();
    timer = setInterval(
      () => {
        if (kind.drip) socket.write(kind.drip);
        if (kind.readsBytes !== undefined) socket.read(kind.readsBytes);
      },
      kind.readsBytes === undefined ? 1_000 : 3_000,
    );
  });
  return client;
}
