// QEMU's control protocol (QMP): commands in JSON, answers by id. QEMU connects to our socket, so that we need not wait for one of its own.
import { type Socket, createServer } from 'node:net';

export interface Control {
  /** Rejects when QEMU refuses the command or has ended. */
  ask<Answer>(command: string, given?: object): Promise<Answer>;
  close(): void;
}

interface Message {
  id?: number;
  return?: unknown;
  error?: { desc: string };
}

/** Listens at a path for one machine. */
export async function openControl(path: string): Promise<Control> {
  const asked = new Map<number, { resolve: (answer: unknown) => void; reject: (cause: Error) => void }>();
  const lines: string[] = [];
  let line: Socket | undefined;
  let count = 0;
  let over = false;

  function hear(text: string): void {
    const { id = 0, error, return: answer } = JSON.parse(text) as Message;
    const waiting = asked.get(id);
    asked.delete(id);
    if (error) waiting?.reject(new Error(error.desc));
    else waiting?.resolve(answer);
  }
  function end(): void {
    over = true;
    for (const { reject } of asked.values()) reject(new Error('The machine has ended.'));
    asked.clear();
  }
  const say = (command: string, given: object = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (over) return reject(new Error('The machine has ended.'));
      asked.set(++count, { resolve, reject });
      const text = `${JSON.stringify({ execute: command, arguments: given, id: count })}\n`;
      if (line) line.write(text);
      else lines.push(text);
    });

  const server = createServer((socket) => {
    line = socket;
    let rest = '';
    socket.on('error', end).on('close', end);
    socket.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) if (part.trim()) hear(part);
    });
    for (const text of lines.splice(0)) socket.write(text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  server.unref();
  // QEMU accepts no other command before this one.
  say('qmp_capabilities').catch(() => {});
  return {
    ask: <Answer>(command: string, given?: object) => say(command, given) as Promise<Answer>,
    close() {
      end();
      line?.destroy();
      server.close();
    },
  };
}
