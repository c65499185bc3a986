// The first message of TLS clients, as Node's own client writes it: whole, cut anywhere, and spoilt.
import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { readClientHello } from '../../../edge/acme/client-hello.ts';

async function helloOf(options: { servername?: string; ALPNProtocols?: string[] }): Promise<Buffer> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, ...options });
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

let hello: Buffer;
beforeAll(async () => {
  hello = await helloOf({ servername: 'Proxy.example', ALPNProtocols: ['acme-tls/1'] });
});

test('name and protocols are read, in small letters', async () => {
  expect(readClientHello(hello)).toEqual({ serverName: 'proxy.example', protocols: ['acme-tls/1'] });
  const two = await helloOf({ servername: 'a.example', ALPNProtocols: ['h2', 'http/1.1'] });
  expect(readClientHello(two)).toEqual({ serverName: 'a.example', protocols: ['h2', 'http/1.1'] });
  expect(readClientHello(await helloOf({}))).toEqual({ serverName: undefined, protocols: [] });
});

test('of a part of it there is more to come, at every cut', () => {
  for (let length = 0; length < hello.length; length++) expect(readClientHello(hello.subarray(0, length))).toBe('more');
});

test('what is no first message of TLS is none at once', () => {
  for (const text of ['GET / HTTP/1.1\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\n', '\u0005\u0001\u0002'])
    expect(readClientHello(Buffer.from(text))).toBeUndefined();
  expect(readClientHello(Buffer.from([22, 3, 1, 0xff, 0xff]))).toBeUndefined();
});

test('a spoilt one is understood, or none: nothing is thrown', () => {
  const spoilt = fc.tuple(fc.nat(hello.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(spoilt, { minLength: 1, maxLength: 6 }), (changes) => {
      const bytes = Buffer.from(hello);
      for (const [at, value] of changes) bytes[at] = value;
      const read = readClientHello(bytes);
      return read === undefined || read === 'more' || Array.isArray(read.protocols);
    }),
    { numRuns: 2_000 },
  );
});
