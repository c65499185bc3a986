// Structured logs on standard error, one JSON line each, with everything secret cut out by name.
import { pino } from 'pino';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'> & { child(fields: object): Log };

const SECRET_NAMES = ['password', 'passwordHash', 'token', 'key', 'secret', 'authorization', 'cookie', 'signature', 'code'];

/** `level`: trace, debug, info, warn, error or silent. */
export const createLog = (level: string): Log =>
  pino(
    {
      level,
      base: null,
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `req.headers.${name}`]), censor: '[redacted]' },
    },
    pino.destination(2),
  ) as unknown as Log;

export const silentLog: Log = createLog('silent');
