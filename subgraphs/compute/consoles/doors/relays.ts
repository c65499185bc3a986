// Relays data between a page and the console of a hypervisor or controller. Signing in there happens here: neither the ticket nor the password reaches the page.
import { SECOND } from '#platform/clock.ts';
import type { WebSocket } from 'ws';
import { byteLine } from './byte-line.ts';
import { vncAnswer } from './vnc-answer.ts';

export interface Line {
  kind: 'TEXT' | 'GRAPHIC';
  url: string;
  authorization: string;
  cookie: string | null;
  authorities: string | null;
  user: string;
  ticket: string;
  password: string | null;
  raw: boolean;
}

/** How many bytes may wait for a slow receiver before the sender's socket is paused. */
const HIGH_WATER = 1_048_576;
const AWAKE_MS = 30 * SECOND;

/** Signs in at the console, then connects both sockets. Rejects when the console refuses. */
export async function relay(page: WebSocket, console: WebSocket, line: Line): Promise<void> {
  if (line.raw) return relayRaw(page, console);
  await (line.kind === 'TEXT' ? relayText(page, console, line) : relayGraphic(page, console, line));
}

function send(to: WebSocket, data: Buffer, from: WebSocket): void {
  if (to.readyState !== to.OPEN) return;
  to.send(data, () => {
    if (from.isPaused && to.bufferedAmount < HIGH_WATER) from.resume();
  });
  if (to.bufferedAmount >= HIGH_WATER) from.pause();
}

/** The page sends typed characters as bytes, and the size of its window as `{"columns":80,"rows":24}`. */
async function relayText(page: WebSocket, console: WebSocket, { user, ticket }: Line): Promise<void> {
  const [keys, output] = [byteLine(page), byteLine(console)];
  console.send(`${user}:${ticket}\n`);
  if ((await output.read(2)).toString() !== 'OK') throw new Error('the console did not let us in');
  output.deliver((data) => send(page, data, console));
  keys.deliver((data, binary) => {
    if (binary) return send(console, Buffer.concat([Buffer.from(`0:${data.length}:`), data]), page);
    const [, columns, rows] = /^\{"columns":(\d{1,4}),"rows":(\d{1,4})\}$/.exec(data.toString()) ?? [];
    if (columns === undefined) page.close(1008, 'not understood');
    else send(console, Buffer.from(`1:${columns}:${rows}:`), page);
  });
  const awake = setInterval(() => send(console, Buffer.from('2'), page), AWAKE_MS).unref();
  console.once('close', () => clearInterval(awake));
}

/** A serial line has bytes only: messages with the window's size are dropped. */
function relayRaw(page: WebSocket, console: WebSocket): void {
  byteLine(console).deliver((data) => send(page, data, console));
  byteLine(page).deliver((data, binary) => {
    if (binary) send(console, data, page);
  });
}

const VERSION = Buffer.from('RFB 003.008\n');
const [NONE, BY_PASSWORD] = [1, 2];

/** RFB 3.8: towards the console a client with its password, if it has one; towards the page a server that needs none. */
async function relayGraphic(page: WebSocket, console: WebSocket, { password }: Line): Promise<void> {
  const [keys, screen] = [byteLine(page), byteLine(console)];
  await screen.read(VERSION.length);
  console.send(VERSION);
  const [count = 0] = await screen.read(1);
  const types = await screen.read(count);
  // Without a password the WebSocket's own headers have authenticated us.
  const way = password === null ? NONE : BY_PASSWORD;
  if (!types.includes(way)) throw new Error('the console asks for another way in');
  console.send(Buffer.from([way]));
  if (password !== null) console.send(vncAnswer(password, await screen.read(16)));
  if ((await screen.read(4)).readUInt32BE() !== 0) throw new Error('the console did not let us in');

  page.send(VERSION);
  await keys.read(VERSION.length);
  page.send(Buffer.from([1, NONE]));
  await keys.read(1);
  page.send(Buffer.alloc(4));
  screen.deliver((data) => send(page, data, console));
  keys.deliver((data) => send(console, data, page));
}
