// Structured logs on standard error, one JSON line each. Secrets are removed by name, and repeated lines are counted.
import { type DestinationStream, type Logger, pino } from 'pino';
import { createRepeats, kindOfLine } from './log-repeats.ts';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'> & { child(fields: object): Log };

const SECRET_NAMES = ['password', 'passwordHash', 'token', 'key', 'secret', 'authorization', 'cookie', 'signature', 'code'];
const CENSORED = '[redacted]';

/** The error codes of the system, of PostgreSQL (five characters) and of our catalogue. A one-time code has six digits, or mixes letters. */
const CODE_OF_ERROR = /^(E[A-Z]{3,20}|ERR(_[A-Z]+)+|[\dA-Z]{5}|[a-z]+(_[a-z]+)+)$/;

/** Called for each member with a secret's name. */
const censor = (value: unknown, path: string[]): unknown =>
  path.at(-1) === 'code' && typeof value === 'string' && CODE_OF_ERROR.test(value) ? value : CENSORED;

/** Lines of this level and above are limited: pino's number of `warn`. */
const BOUNDED_FROM = 40;

/** The logs of this process that are not silent, each with its original level. */
const made: { log: Logger; level: string }[] = [];

/** `level`: trace, debug, info, warn, error or silent. */
export function createLog(level: string, destination: DestinationStream = pino.destination(2)): Log {
  const repeats = createRepeats();
  const log = pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers.${name}`]), censor },
      hooks: {
        logMethod(args, method, number) {
          const sumUp = (unsaid: number, seconds: number) =>
            method.apply(this, [{ unsaid, seconds }, `the same was said again and again: ${String(args[1])}`]);
          if (number < BOUNDED_FROM || repeats.admit(kindOfLine(args), sumUp)) method.apply(this, args);
        },
      },
    },
    destination,
  );
  if (level !== 'silent') made.push({ log, level });
  return log as unknown as Log;
}

/** The level of each turn, if it is more verbose than the log's own: none, then with requests, then everything. */
const TURNS = [undefined, 'info', 'debug'] as const;
let turn = 0;

const numberOf = (level: string): number => pino.levels.values[level] ?? 0;

/** Switches every log of this process: to info, to debug, and back to its original level. Each logs the change. */
export function turnLogLevel(): void {
  turn = (turn + 1) % TURNS.length;
  const wanted = TURNS[turn];
  for (const { log, level } of made) {
    const next = wanted !== undefined && numberOf(wanted) < numberOf(level) ? wanted : level;
    const logChange = () => log.warn({ logLevel: next }, 'the log level was changed');
    // The change is logged while the log is at the more verbose of the two levels.
    const falls = numberOf(next) > log.levelVal;
    if (falls) logChange();
    log.level = next;
    if (!falls) logChange();
  }
}

export const silentLog: Log = createLog('silent');
