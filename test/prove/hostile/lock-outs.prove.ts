// Strangers from many networks guess one owner's password, and other people's, while the owner signs in: from a known browser, by the link in the mail, and
// after a recovery. Nobody with proof is locked out, and the number of checked guesses is bounded.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR } from '#platform/clock.ts';
import { ATTEMPT_LIMITS } from '../../../subgraphs/accounts/identity/domain/attempt-limits.ts';
import { type AccountsWorld, PASSWORD, startAccounts } from '../../subgraphs/accounts/world.ts';
import { say, scaled } from '../scale.ts';

/** Guesses of the owner's password, each from another network, and of other people's passwords. */
const GUESSES = scaled(5_000, 110);
const OTHERS = scaled(1_000, 30);
const CONCURRENCY = 100;
/** The hours that the guesses are spread over; each hour has its own limit. */
const HOURS = GUESSES < 1_000 ? 1 : 5;
const OWNER = 'owner@example.com';
const NEW = 'quite another password';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
  await world.account(OWNER);
});
afterAll(() => world.close());

type Browser = ReturnType<AccountsWorld['browser']>;
let networks = 0;
const stranger = (): Browser => world.browser({ from: `2001:db8:${(++networks).toString(16)}::1` });
const busy = new Map<string, number>();
const signIn = async (at: Browser, email = OWNER, password = PASSWORD): Promise<number> => {
  const { status, code, message } = await at.post('/auth/sign-in', { email, password });
  if (status >= 500) busy.set(`${code} ${message}`, (busy.get(`${code} ${message}`) ?? 0) + 1);
  return status;
};
const linkTo = async (subject: RegExp): Promise<string> =>
  (await world.mailed(OWNER)).findLast((mail) => subject.test(mail.subject))?.links[0] ?? '';
const ask = (query: string, variables: Record<string, string>) =>
  world.ask({ kind: 'anonymous', address: `198.51.100.${(++networks % 250) + 1}`, requestId: 'req_prove' }, query, variables);

/** Signs in as an owner who is told that the service is busy: retries twice at most. */
async function persist(at: Browser): Promise<number> {
  let status = await signIn(at);
  for (let count = 0; count < 2 && status === 503; count++) status = await signIn(at);
  return status;
}

/** Makes `count` guesses, a hundred at once. Resolves with the number of answers by status. */
async function keepGuessing(count: number, guess: (index: number) => Promise<number>): Promise<Map<number, number>> {
  const tally = new Map<number, number>();
  let next = 0;
  const guesser = async () => {
    for (let index = next++; index < count; index = next++) {
      const status = await guess(index);
      tally.set(status, (tally.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, guesser));
  return tally;
}
const toText = (tally: Map<number | string, number>): string => [...tally].map(([status, count]) => `${count} x ${status}`).join(', ');

test('owners who are locked out: none, however many strangers guess; guesses that are checked: their bound', async () => {
  const known = stranger();
  expect(await signIn(known)).toBe(200);
  const waits: number[] = [];
  const outcomes: number[] = [];
  const bound = ATTEMPT_LIMITS.log_in_name.points;
  for (let hour = 0; hour < HOURS; hour++) {
    const { over, result } = during(
      Promise.all([
        keepGuessing(Math.ceil(GUESSES / HOURS), (index) => signIn(stranger(), OWNER, `guess ${hour} ${index}`)),
        keepGuessing(Math.ceil(OTHERS / HOURS), (index) => signIn(stranger(), `person-${hour}-${index}@example.com`, 'a guess')),
      ]),
    );
    while (!over()) {
      const started = performance.now();
      outcomes.push(await persist(known));
      waits.push(performance.now() - started);
    }
    const [guesses, others] = await result;
    say(`hour ${hour + 1}: guesses at the owner ${toText(guesses)}, at others ${toText(others)}`);
    if (busy.size > 0) say(`busy: ${toText(busy)}`);
    expect(guesses.get(401) ?? 0).toBeLessThanOrEqual(bound);
    // 503: no database connection was free in time, so nothing was checked either.
    expect([...guesses.keys(), ...others.keys()].filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
    if (hour + 1 < HOURS) world.clock.advance(HOUR);
  }
  // In an unknown browser the owner must wait like everybody; the link in the mail admits them at once, and so does a recovery.
  const fresh = stranger();
  const refused = await signIn(fresh);
  await ask('mutation ($email: String!) { accountDeviceLink(email: $email) { email } }', { email: OWNER });
  await fresh.follow(await linkTo(/^It is you/));
  outcomes.push(await signIn(fresh));
  await ask('mutation ($email: String!) { accountRecover(email: $email) { email } }', { email: OWNER });
  const token = new URL(await linkTo(/^Choose/)).searchParams.get('token') ?? '';
  await ask('mutation ($token: String!, $password: String!) { accountSetPassword(token: $token, password: $password) { email } }', {
    token,
    password: NEW,
  });
  const recovered = stranger();
  await recovered.get(`/auth/device?token=${token}`);
  outcomes.push(await signIn(recovered, OWNER, NEW));
  const lockedOut = outcomes.filter((status) => status !== 200).length;
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(0);
  say(
    `owner: ${outcomes.length} log-ins, locked out ${lockedOut}; a known browser waited ${at(0.5)} ms (median), ${at(1)} ms (most); a new one ${refused} before its link`,
  );
  expect(lockedOut).toBe(0);
  expect(outcomes.length).toBeGreaterThan(2);
});

test('a guesser who stays on one network is checked ever more seldom', async () => {
  const email = 'other-owner@example.com';
  await world.account(email);
  const guesser = stranger();
  let checked = 0;
  const started = world.clock.now().getTime();
  while (world.clock.now().getTime() - started < HOUR) {
    const answer = await guesser.post('/auth/sign-in', { email, password: 'a guess' });
    if (answer.status === 401) checked++;
    world.clock.advance((Number(answer['retryAfterSeconds']) || 0) * 1_000);
  }
  say(`one network, an hour at one owner, always as soon as it may: ${checked} guesses checked`);
  expect(checked).toBeLessThanOrEqual(20);
  expect(await signIn(stranger(), email)).toBe(200);
});

/** Tells whether the work has ended, while it runs. */
function during<T>(work: Promise<T>): { over(): boolean; result: Promise<T> } {
  let isOver = false;
  const result = work.finally(() => (isOver = true));
  return { over: () => isOver, result };
}
