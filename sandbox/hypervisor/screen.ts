// The screen of a machine that is not real: RFB 3.8 with raw rectangles, and a picture that changes with typed keys.
import { createCipheriv, randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import { bytesOf } from './raw-data.ts';

const [WIDTH, HEIGHT] = [480, 270];
const [NONE, BY_PASSWORD] = [1, 2];
/** Lengths of client messages by their first byte; the other two types contain their length. */
const LENGTHS: Record<number, number> = { 0: 20, 3: 10, 4: 8, 5: 6 };

/** Triple DES with the same key three times is single DES; RFB uses the bits of each key byte in reverse order. */
function answerOf(password: string, challenge: Buffer): Buffer {
  const key = Buffer.alloc(8);
  key.write(password.slice(0, 8), 'latin1');
  for (let index = 0; index < 8; index++) {
    let byte = key[index] ?? 0;
    let turned = 0;
    for (let bit = 0; bit < 8; bit++, byte >>= 1) turned = (turned << 1) | (byte & 1);
    key[index] = turned;
  }
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}

function messageLength(waiting: Buffer): number | undefined {
  const kind = waiting[0] ?? -1;
  if (kind === 2) return waiting.length < 4 ? undefined : 4 + 4 * waiting.readUInt16BE(2);
  if (kind === 6) return waiting.length < 8 ? undefined : 8 + waiting.readUInt32BE(4);
  return LENGTHS[kind];
}

/** Serves the screen of a machine, with VNC authentication or, without a password, to any client. A wrong password closes the connection. */
export function drawScreen(socket: WebSocket, title: string, password?: string): void {
  new Screen(socket, title, password).serve();
}

/** A step of the handshake: the number of bytes that it needs, and its handler. */
interface Stage {
  needs: number;
  hear(bytes: Buffer): void;
}

class Screen {
  readonly #socket: WebSocket;
  readonly #name: Buffer;
  readonly #stages: Stage[];
  #waiting = Buffer.alloc(0);
  #typed = 0;
  /** The client has asked for an update that was not sent yet. */
  #owed = false;
  /** The number of keys in the picture that the client has. */
  #shown = -1;
  /** Shifts of red, green and blue, as the client has set them. */
  #shifts = [16, 8, 0];

  constructor(socket: WebSocket, title: string, password: string | undefined) {
    this.#socket = socket;
    this.#name = Buffer.from(title);
    this.#stages = this.#handshake(password);
  }

  serve(): void {
    this.#socket.on('message', (data) => {
      this.#waiting = Buffer.concat([this.#waiting, bytesOf(data)]);
      while (this.#hearNext());
    });
    this.#send(Buffer.from('RFB 003.008\n'));
  }

  /** The steps before the first picture. */
  #handshake(password: string | undefined): Stage[] {
    const challenge = randomBytes(16);
    const authentication: Stage[] =
      password === undefined
        ? [{ needs: 1, hear: ([way]: Buffer) => this.#judge(way === NONE) }]
        : [
            { needs: 1, hear: () => this.#send(challenge) },
            { needs: 16, hear: (bytes: Buffer) => this.#judge(bytes.equals(answerOf(password, challenge))) },
          ];
    return [
      { needs: 12, hear: () => this.#send([1, password === undefined ? NONE : BY_PASSWORD]) },
      ...authentication,
      { needs: 1, hear: () => this.#greet() },
    ];
  }

  /** Handles one complete message; false when none is complete yet. */
  #hearNext(): boolean {
    const [stage] = this.#stages;
    const length = stage?.needs ?? messageLength(this.#waiting);
    if (length === undefined || this.#waiting.length < length) {
      const [kind = -1] = this.#waiting;
      if (length === undefined && this.#waiting.length > 0 && ![2, 6].includes(kind)) this.#socket.close(1008);
      return false;
    }
    const message = this.#waiting.subarray(0, length);
    this.#waiting = this.#waiting.subarray(length);
    this.#stages.shift();
    if (stage) stage.hear(message);
    else this.#hear(message);
    return true;
  }

  #judge(right: boolean): void {
    this.#send([0, 0, 0, right ? 0 : 1], ...(right ? [] : [[0, 0, 0, 6], Buffer.from('denied')]));
    if (!right) this.#socket.close(1008);
  }

  #greet(): void {
    const init = Buffer.alloc(24);
    init.writeUInt16BE(WIDTH, 0);
    init.writeUInt16BE(HEIGHT, 2);
    Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, ...this.#shifts]).copy(init, 4);
    init.writeUInt32BE(this.#name.length, 20);
    this.#send(init, this.#name);
  }

  #hear(message: Buffer): void {
    if (message[0] === 0) this.#shifts = [message[14] ?? 0, message[15] ?? 0, message[16] ?? 0];
    if (message[0] === 4 && message[1] === 1) this.#typed++;
    if (message[0] === 3) {
      this.#owed = true;
      // Not incremental: the client wants the whole picture, whatever it has.
      if (message[1] === 0) this.#shown = -1;
    }
    this.#update();
  }

  #update(): void {
    if (!this.#owed || this.#shown === this.#typed) return;
    this.#owed = false;
    this.#shown = this.#typed;
    const head = Buffer.alloc(16);
    head.writeUInt16BE(1, 2);
    head.writeUInt16BE(WIDTH, 8);
    head.writeUInt16BE(HEIGHT, 10);
    this.#send(head, picture(this.#typed, this.#shifts));
  }

  #send(...parts: (Buffer | number[])[]): void {
    this.#socket.send(Buffer.concat(parts.map((part) => Buffer.from(part))));
  }
}

/** A background of one colour, a box in the middle, and a dot in it for each typed key. */
function picture(typed: number, [red = 0, green = 0, blue = 0]: readonly number[]): Buffer {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 4);
  const colour = (r: number, g: number, b: number) => ((r << red) | (g << green) | (b << blue)) >>> 0;
  const fill = (x: number, y: number, width: number, height: number, value: number) => {
    for (let row = y; row < y + height; row++)
      for (let column = x; column < x + width; column++) pixels.writeUInt32LE(value, (row * WIDTH + column) * 4);
  };
  fill(0, 0, WIDTH, HEIGHT, colour(0x1b, 0x3a, 0x5c));
  fill(140, 100, 200, 70, colour(0xf2, 0xf4, 0xf7));
  for (let key = 0; key < typed % 16; key++) fill(155 + key * 11, 131, 7, 7, colour(0x20, 0x24, 0x2c));
  return pixels;
}
