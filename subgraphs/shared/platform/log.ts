// Structured logs on standard error, one JSON line each, with everything secret cut out by name, and what repeats itself summed up.
import { type DestinationStream, type Logger, pino } from 'pino';
import { createRepeats, kindOfLine } from './log-repeats.ts';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'> & { child(fields: object): Log };

const SECRET_NAMES = ['password', 'passwordHash', 'token', 'key', 'secret', 'authorization', 'cookie', 'signature', 'code'];
const CENSORED = '[redacted]';

/** What the system, PostgreSQL (five characters) and our catalogue call an error. A code that lets somebody in has six digits, or mixes letters. */
const CODE_OF_ERROR = /^(E[A-Z]{3,20}|ERR(_[A-Z]+)+|[\dA-Z]{5}|[a-z]+(_[a-z]+)+)$/;

/** Asked for all that is secret by its name. */
const censor = (value: unknown, path: string[]): unknown =>
  path.at(-1) === 'code' && typeof value === 'string' && CODE_OF_ERROR.test(value) ? value : CENSORED;

/** From this on lines are bounded: pino's number of `warn`. */
const BOUNDED_FROM = 40;

/** Those of this process that say anything, each with the level that it was made with. */
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

/** What each turn makes of a level that is less talkative: nothing, then requests are told, then everything. */
const TURNS = [undefined, 'info', 'debug'] as const;
let turn = 0;

const numberOf = (level: string): number => pino.levels.values[level] ?? 0;

/** Moves every log of this process on: to info, to debug, and back to how it was made. Each says so. */
export function turnLogLevel(): void {
  turn = (turn + 1) % TURNS.length;
  const wanted = TURNS[turn];
  for (const { log, level } of made) {
    const next = wanted !== undefined && numberOf(wanted) < numberOf(level) ? wanted : level;
    const logChange = () => log.warn({ logLevel: next }, 'the log level was changed');
    // While it is at the more talkative of the two.
    const falls = numberOf(next) > log.levelVal;
    if (falls) logChange();
    log.level = next;
    if (!falls) logChange();
  }
}

export const silentLog: Log = createLog('silent');
