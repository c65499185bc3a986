// A terminal that keeps what is printed, and answers what it is asked.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../../rest-adapter/command-line/run.ts';
import type { Terminal } from '../../../rest-adapter/command-line/terminal.ts';

export interface FakeTerminal extends Terminal {
  printed: string;
  complained: string;
  copied: string;
  asked: number;
  /** Ctrl-C. */
  stop(): void;
  /** Runs a command line; resolves to its exit code. */
  egress(...words: string[]): Promise<number>;
}

/** With a home of its own, which is removed after the test. */
export function fakeTerminal(env: Record<string, string>, over: Partial<Terminal> = {}): FakeTerminal {
  const home = mkdtempSync(join(tmpdir(), 'egress-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const stop = new AbortController();
  const terminal: FakeTerminal = {
    env,
    home,
    columns: 80,
    isWatched: false,
    canAsk: false,
    printed: '',
    complained: '',
    copied: '',
    asked: 0,
    out: (text) => void (terminal.printed += text),
    err: (text) => void (terminal.complained += text),
    async askSecret() {
      terminal.asked += 1;
      return '';
    },
    copy: async (text) => void (terminal.copied = text),
    signal: stop.signal,
    stop: () => stop.abort(),
    egress(...words) {
      terminal.printed = '';
      terminal.complained = '';
      return run(words, terminal, 0);
    },
    ...over,
  };
  return terminal;
}
