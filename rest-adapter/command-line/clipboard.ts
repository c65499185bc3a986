// The clipboard of the machine, by the program that each system has for it.
import { spawn } from 'node:child_process';
import { WrongUse } from './given.ts';

const PROGRAMS: readonly (readonly [string, ...string[]])[] = [
  ['pbcopy'],
  ['wl-copy'],
  ['xclip', '-selection', 'clipboard'],
  ['xsel', '--clipboard', '--input'],
  ['clip.exe'],
];

/** Bytes that terminals take in one sequence; longer ones are dropped by some. */
const SEQUENCE_LIMIT = 74_994;

/** Copies text by the first program that works, else by asking the terminal (OSC 52), which also reaches through ssh. Throws WrongUse when there is neither. */
export async function copyText(text: string, screen: { isWatched: boolean; write(sequence: string): void }): Promise<void> {
  for (const [program, ...words] of PROGRAMS) if (await feeds(program, words, text)) return;
  const encoded = Buffer.from(text).toString('base64');
  if (!screen.isWatched || encoded.length > SEQUENCE_LIMIT) throw new WrongUse('No clipboard was found: --file writes to a file.');
  screen.write(`\u001B]52;c;${encoded}\u0007`);
}

/** Whether the program took the text. */
const feeds = (program: string, words: readonly string[], text: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'] });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
    child.stdin.on('error', () => resolve(false));
    child.stdin.end(text);
  });
