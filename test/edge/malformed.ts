// Malformed inputs: valid requests that are cut, repeated, altered or mixed with random bytes, and noise. The same seed gives the same inputs.
import { PASSWORD } from './memory-ledger.ts';
import { connectHead, openClient, proxyLine } from './world.ts';

const socks = (username: string, port: number): Buffer =>
  Buffer.concat([
    Buffer.from([5, 1, 2, 1, username.length]),
    Buffer.from(username),
    Buffer.from([PASSWORD.length]),
    Buffer.from(PASSWORD),
    Buffer.from([5, 1, 0, 3, 14]),
    Buffer.from('target.example'),
    Buffer.from([port >> 8, port & 255]),
  ]);

const templates = (username: string, port: number): Buffer[] =>
  [
    connectHead(`target.example:${port}`, username),
    connectHead('[::ffff:127.0.0.1]:80', `${username}-country-de-session-12345678-sessionttl-30`),
    `GET http://target.example:${port}/path?x=1 HTTP/1.1\r\nHost: target.example\r\n${proxyLine(username)}Accept: */*\r\n\r\n`,
    `POST http://target.example:${port}/ HTTP/1.1\r\n${proxyLine(username)}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
    `POST http://target.example:${port}/ HTTP/1.1\r\n${proxyLine(username)}Content-Length: 5\r\n\r\nhello`,
    socks(username, port),
    socks(`${username}-country-any`, port),
  ].map((text) => Buffer.from(text));

const SPICES = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  'Content-Length: 7\r\n',
  'Transfer-Encoding: chunked\r\n',
  '\x05',
  '\xff',
  '-',
  '%',
  '[',
].map((text) => Buffer.from(text, 'latin1'));

/** One input, as the pieces in which it is sent. */
export function malformed(random: () => number, username: string, port: number): Buffer[] {
  const below = (limit: number) => Math.floor(random() * limit);
  const all = templates(username, port);
  let bytes = Buffer.from(all[below(all.length)] as Buffer);
  if (random() < 0.1) bytes = Buffer.from(Array.from({ length: 1 + below(300) }, () => below(256)));
  for (let change = 0; change < 1 + below(4); change++) {
    const at = below(bytes.length + 1);
    const kind = random();
    if (kind < 0.25) bytes = bytes.subarray(0, at) as Buffer<ArrayBuffer>;
    else if (kind < 0.5) bytes[Math.min(at, bytes.length - 1)] = below(256);
    else if (kind < 0.8) bytes = Buffer.concat([bytes.subarray(0, at), SPICES[below(SPICES.length)] as Buffer, bytes.subarray(at)]);
    else if (kind < 0.9) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + below(20))]);
    else bytes = Buffer.concat([bytes, all[below(all.length)] as Buffer]);
    if (bytes.length === 0) bytes = Buffer.from([below(256)]);
  }
  if (random() < 0.7) return [bytes];
  const cut = below(bytes.length);
  return [bytes.subarray(0, cut), bytes.subarray(cut)];
}

/** Sends each input on its own connection and waits for the end of each, so that none stays open. */
export async function sendMalformed(port: number, inputs: Iterable<Buffer[]>, atOnce: number): Promise<number> {
  const queue = inputs[Symbol.iterator]();
  let sent = 0;
  const sender = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const client = await openClient(port);
      for (const piece of next.value) {
        client.write(piece);
        if (next.value.length > 1) await new Promise((done) => setImmediate(done));
      }
      client.socket.end();
      await client.ended();
      client.socket.destroy();
      sent++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return sent;
}
