// A WebSocket as a stream of bytes: at first read by number of bytes, while a protocol begins, then delivered message by message.
import type { RawData, WebSocket } from 'ws';

const bytesOf = (data: RawData): Buffer => (Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data));

interface Message {
  data: Buffer;
  binary: boolean;
}

/** How much may wait to be read before the socket is paused. While they begin, the protocols read less than a kilobyte, in a few messages. */
const WAITING = { bytes: 65_536, messages: 256 };

export interface ByteLine {
  /** Reads the next `length` bytes. Rejects when the socket closes before. */
  read(length: number): Promise<Buffer>;
  /** Delivers whole messages from now on, first the bytes that were not read. */
  deliver(to: (data: Buffer, binary: boolean) => void): void;
}

export function byteLine(socket: WebSocket): ByteLine {
  let waiting: Message[] = [];
  let wanted: { length: number; give: (bytes: Buffer) => void; refuse: (error: Error) => void } | undefined;
  let to: ((data: Buffer, binary: boolean) => void) | undefined;
  let over = false;
  let size = 0;

  const serve = () => {
    if (!wanted) return;
    const { length, give, refuse } = wanted;
    if (size >= length) {
      wanted = undefined;
      const bytes = Buffer.concat(waiting.map(({ data }) => data));
      const rest = bytes.subarray(length);
      size = rest.length;
      waiting = rest.length > 0 ? [{ data: rest, binary: true }] : [];
      give(bytes.subarray(0, length));
    } else if (over) {
      wanted = undefined;
      refuse(new Error('the line ended'));
    }
  };
  socket.on('message', (raw, binary) => {
    const data = bytesOf(raw);
    if (to) return to(data, binary);
    waiting.push({ data, binary });
    size += data.length;
    serve();
    if (!wanted && (size > WAITING.bytes || waiting.length > WAITING.messages)) socket.pause();
  });
  socket.once('close', () => {
    over = true;
    serve();
  });
  return {
    read: (length) =>
      new Promise((give, refuse) => {
        wanted = { length, give, refuse };
        serve();
        if (wanted && socket.isPaused) socket.resume();
      }),
    deliver(receiver) {
      to = receiver;
      socket.resume();
      for (const { data, binary } of waiting.splice(0)) receiver(data, binary);
    },
  };
}
