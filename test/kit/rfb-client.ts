// The browser's side of a graphic console: RFB 3.8 with security type None, as the console relay offers every screen.
import type { RawData, WebSocket } from 'ws';
import { bytesOf } from '../../sandbox/hypervisor/raw-data.ts';

export interface RfbScreen {
  version: string;
  securityTypes: number[];
  title: string;
  width: number;
  height: number;
  /** The whole screen as it is now, one number per pixel. */
  picture(): Promise<Uint32Array>;
  press(key: number): void;
}

const PATIENCE_MS = 20_000;

/** Does the RFB handshake on a socket of which no message has been read yet. */
export async function openScreen(socket: WebSocket): Promise<RfbScreen> {
  let waiting = Buffer.alloc(0);
  let come = () => {};
  socket.on('message', (data: RawData) => {
    waiting = Buffer.concat([waiting, bytesOf(data)]);
    come();
  });
  async function read(length: number): Promise<Buffer> {
    while (waiting.length < length)
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`${waiting.length} of ${length} bytes`)), PATIENCE_MS);
        come = () => (clearTimeout(late), resolve());
      });
    const bytes = waiting.subarray(0, length);
    waiting = waiting.subarray(length);
    return bytes;
  }

  const version = String(await read(12));
  socket.send(Buffer.from('RFB 003.008\n'));
  const securityTypes = [...(await read((await read(1))[0] ?? 0))];
  socket.send(Buffer.from([1]));
  if ((await read(4)).readUInt32BE() !== 0) throw new Error('the screen did not let us in');
  socket.send(Buffer.from([1]));
  const init = await read(24);
  const [width, height] = [init.readUInt16BE(0), init.readUInt16BE(2)];
  const title = String(await read(init.readUInt32BE(20)));
  return {
    version,
    securityTypes,
    title,
    width,
    height,
    async picture() {
      const request = Buffer.alloc(10);
      request[0] = 3;
      request.writeUInt16BE(width, 6);
      request.writeUInt16BE(height, 8);
      socket.send(request);
      const head = await read(16);
      const pixels = await read(head.readUInt16BE(8) * head.readUInt16BE(10) * 4);
      return new Uint32Array(pixels.buffer.slice(pixels.byteOffset, pixels.byteOffset + pixels.length));
    },
    press(key) {
      for (const down of [1, 0]) {
        const message = Buffer.from([4, down, 0, 0, 0, 0, 0, 0]);
        message.writeUInt32BE(key, 4);
        socket.send(message);
      }
    },
  };
}
