// What the log leaves out, how it writes errors, and how much it writes in an outage.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog, turnLogLevel } from '#platform/log.ts';
import { REPEATS } from '#platform/log-repeats.ts';

let lines: Record<string, unknown>[];
const open = (level: string) => createLog(level, { write: (line) => void lines.push(JSON.parse(line)) });
const said = () => lines.map(({ msg }) => msg);

beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => vi.useRealTimers());

test('secrets are cut out, and a code that lets somebody in is one', () => {
  open('info').info({ password: 'hunter2', body: { code: '123456', token: 't' }, code: 'spl_31', port: 80 }, 'x');
  expect(lines[0]).toMatchObject({
    password: '[redacted]',
    body: { code: '[redacted]', token: '[redacted]' },
    code: '[redacted]',
    port: 80,
  });
});

test.each(['ECONNREFUSED', 'ERR_SOCKET_CLOSED', '57P01', '23505', 'vendor_unavailable'])('of an error the code %s can be read', (code) => {
  open('info').error({ err: Object.assign(new Error('no'), { code }) }, 'x');
  expect(lines[0]).toMatchObject({ err: { code } });
});

test('a system code beside an error can be read', () => {
  open('info').warn({ code: 'EADDRINUSE' }, 'x');
  expect(lines[0]).toMatchObject({ code: 'EADDRINUSE' });
});

test('of what is said again and again there are a few lines, and then one that counts the others', () => {
  const log = open('info');
  const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
  for (let count = 0; count < 1_000; count++) log.error({ requestId: `req_${count}`, err: refused }, 'a part is away');
  log.error({ err: new Error('another') }, 'something else');
  expect(said()).toEqual([...Array.from({ length: REPEATS.max }, () => 'a part is away'), 'something else']);
  vi.advanceTimersByTime(REPEATS.windowMs);
  expect(lines.at(-1)).toMatchObject({ unsaid: 1_000 - REPEATS.max, msg: 'the same was said again and again: a part is away' });
  log.error({ err: refused }, 'a part is away');
  expect(said().at(-1)).toBe('a part is away');
});

test('what is no trouble is never summed up', () => {
  const log = open('info');
  for (let count = 0; count < 1_000; count++) log.info({}, 'a request');
  expect(lines).toHaveLength(1_000);
});

test('a turn shows requests, the next one everything, the third what was chosen', () => {
  const log = open('warn');
  const sayAll = () => {
    lines = [];
    log.debug({}, 'debug');
    log.info({}, 'info');
    log.warn({}, 'warn');
    return said();
  };
  expect(sayAll()).toEqual(['warn']);
  turnLogLevel();
  expect(lines.at(-1)).toMatchObject({ logLevel: 'info', msg: 'the log level was changed' });
  expect(sayAll()).toEqual(['info', 'warn']);
  turnLogLevel();
  expect(sayAll()).toEqual(['debug', 'info', 'warn']);
  turnLogLevel();
  expect(said().at(-1)).toBe('the log level was changed');
  expect(sayAll()).toEqual(['warn']);
});
