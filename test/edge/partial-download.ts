// Customers who read part of a download and break it off, and the target that they download from.
import { type Socket, connect } from 'node:net';
import { limitReceiveWindow } from '../kit/receive-window.ts';
import { type Target, startTarget } from './world.ts';

/** Sends as many bytes as the first number that it reads says, raw or as the body of an answer, and ends. */
export const startDownloads = (): Promise<Target> =>
  startTarget((socket) => {
    socket.once('data', (bytes) => {
      let left = Number(/\d+/.exec(bytes.toString())?.[0]);
      if (bytes.toString().startsWith('GET')) socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${left}\r\n\r\n`);
      const chunk = Buffer.alloc(65_536, 1);
      const pour = () => {
        while (left > 0 && !socket.destroyed) {
          const piece = chunk.subarray(0, Math.min(left, chunk.length));
          left -= piece.length;
          if (!socket.write(piece)) return;
        }
        if (left === 0) socket.end();
      };
      socket.on('drain', pour);
      pour();
    });
  });

export const connectTo = (port: number): Socket => connect({ port, host: '127.0.0.1' });

export interface PartOptions {
  /** The TCP socket below TLS. */
  raw?: Socket;
  /** The receive window of the reader's system. */
  windowBytes?: number;
  /** Absent: as fast as bytes arrive. */
  bytesPerSecond?: number;
}

/** Sends the request, then `hello` once it is answered, reads this many bytes of the answer, and stops reading. */
export async function readPart(
  socket: Socket,
  request: string,
  hello: string,
  wanted: number,
  { raw = socket, windowBytes = 65_536, bytesPerSecond = Infinity }: PartOptions = {},
): Promise<number> {
  for (const one of [socket, raw]) one.on('error', () => {});
  raw.once('connect', () => limitReceiveWindow(raw, windowBytes));
  let received = 0;
  await new Promise<void>((resolve, reject) => {
    let isAnswered = hello === '';
    socket.on('close', () => reject(new Error(`it ended after ${received} bytes`)));
    const read = (bytes: Buffer) => {
      if (isAnswered) received += bytes.length;
      else socket.write(hello);
      isAnswered = true;
      if (received >= wanted) {
        socket.removeListener('data', read);
        socket.pause();
        resolve();
      } else if (bytesPerSecond < Infinity) {
        socket.pause();
        setTimeout(() => socket.resume(), (bytes.length / bytesPerSecond) * 1_000);
      }
    };
    socket.on('data', read);
    socket.write(request);
  });
  return received;
}
