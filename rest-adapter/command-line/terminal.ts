// The terminal and the machine that a command runs on.
import { homedir } from 'node:os';
import { copyText } from './clipboard.ts';

export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  home: string;
  /** Characters of a line. */
  columns: number;
  /** Whether somebody looks at what is printed. */
  isWatched: boolean;
  /** Whether somebody can be asked. */
  canAsk: boolean;
  /** Prints text to standard output, or to standard error. */
  out(text: string): void;
  err(text: string): void;
  /** Asks for something that is not shown while it is typed. */
  askSecret(question: string): Promise<string>;
  /** Puts text into the clipboard; throws when this machine has none. */
  copy(text: string): Promise<void>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  // `egress static isp --lines | head` reads no more at some point: that is no fault.
  stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 70));
  return {
    env,
    home: homedir(),
    columns: stdout.columns ?? 80,
    isWatched: stdout.isTTY,
    canAsk: stdin.isTTY && stderr.isTTY,
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    askSecret: (question) => askSecret(question),
    copy: (text) => copyText(text, { isWatched: stdout.isTTY, write: (sequence) => void stdout.write(sequence) }),
    signal: stop.signal,
  };
}

/** Reads a line key by key, so that it is not echoed. Ctrl-C and Ctrl-D give up: an empty answer. */
function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true).setEncoding('utf8').resume();
  return new Promise((resolve) => {
    let typed = '';
    const end = (answer: string) => {
      stdin.off('data', take).setRawMode(false).pause();
      stderr.write('\n');
      resolve(answer);
    };
    const take = (keys: string | Buffer) => {
      for (const key of String(keys)) {
        if (key === '\r' || key === '\n') return end(typed.trim());
        if (key === '\u0003' || key === '\u0004') return end('');
        typed = key === '\u007F' || key === '\b' ? typed.slice(0, -1) : typed + key;
      }
    };
    stdin.on('data', take);
  });
}
