// `npm run prove -- accounts`: proves the promises of accounts with large numbers. Each proof prints its figures.
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Viewer, systemViewer } from '#platform/identity.ts';
import { anonymous } from '../../kit/platform.ts';
import { type AccountsWorld, PASSWORD, startAccounts } from '../../subgraphs/accounts/world.ts';
import { say, scaled } from '../scale.ts';

/** The slowest 5 % of each side are dropped: they are delayed by garbage collection, the disk or other processes. */
const KEPT = 0.95;
/** Above this t value two samples differ: the usual bound of constant-time tests. */
const BOUND = 4.5;

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(() => world.close());

/** Each stranger gets its own network (a /48), so that no rate limit is reached. */
let strangers = 0;
const stranger = (): Viewer => ({ ...anonymous, address: `2001:db8:${(++strangers).toString(16)}::1` });

const trimmed = (values: number[]) => values.toSorted((one, other) => one - other).slice(0, Math.ceil(values.length * KEPT));
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
function variance(values: number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}
const welch = (one: number[], other: number[]) =>
  (mean(one) - mean(other)) / Math.sqrt(variance(one) / one.length + variance(other) / other.length);

type Side = 'known' | 'unknown';
const MAIL = { email: '' };
const DOORS: Record<string, { pairs: number; query: string; variables: (email: string) => Record<string, unknown> }> = {
  'sign-up': {
    pairs: 1_000,
    query: 'mutation ($input: SignUpInput!) { accountSignUp(input: $input) { email } }',
    variables: (email) => ({ input: { email, password: PASSWORD } }),
  },
  'log-in': {
    pairs: 500,
    query: 'mutation ($email: String!, $password: String!) { sessionCreate(email: $email, password: $password) { token } }',
    variables: (email) => ({ email, password: 'a wrong password' }),
  },
  recovery: {
    pairs: 2_000,
    query: 'mutation ($email: String!) { accountRecover(email: $email) { email } }',
    variables: (email) => ({ ...MAIL, email }),
  },
  resend: {
    pairs: 2_000,
    query: 'mutation ($email: String!) { accountResendVerification(email: $email) { email } }',
    variables: (email) => ({ ...MAIL, email }),
  },
};

test.each(Object.entries(DOORS))(
  '%s answers with the same bytes in the same time, whether or not the address has an account',
  async (name, { pairs, query, variables }) => {
    const count = scaled(pairs, 20);
    const emails: Record<Side, string[]> = { known: [], unknown: [] };
    for (let index = 0; index < count; index++) {
      const email = (side: Side) => `${name}-${String(index).padStart(5, '0')}@${side === 'known' ? 'aaaaa' : 'bbbbb'}.example`;
      await world.account(email('known'));
      emails.known.push(email('known'));
      emails.unknown.push(email('unknown'));
    }
    const times: Record<Side, number[]> = { known: [], unknown: [] };
    const answers = new Set<string>();
    const warmUp = Math.ceil(count / 10);
    for (let index = 0; index < count; index++) {
      const order: Side[] = randomInt(2) === 0 ? ['known', 'unknown'] : ['unknown', 'known'];
      for (const side of order) {
        // Jobs of the previous request must not slow down the next one.
        await world.platform.queue.drain();
        const email = emails[side][index] ?? '';
        const viewer = stranger();
        const started = performance.now();
        const answer = await world.ask(viewer, query, variables(email));
        const took = performance.now() - started;
        if (index >= warmUp) times[side].push(took);
        answers.add(JSON.stringify(answer).replaceAll(email, ''));
      }
    }
    const [known, unknown] = [trimmed(times.known), trimmed(times.unknown)];
    const t = welch(known, unknown);
    say(
      `${name}: ${count} pairs, ${answers.size} answer, known ${mean(known).toFixed(3)} ms, unknown ${mean(unknown).toFixed(3)} ms, t = ${t.toFixed(2)}`,
    );
    expect(answers.size).toBe(1);
    expect(Math.abs(t)).toBeLessThan(BOUND);
  },
);

test('a flood of log-ins is hashed four at a time, is told to come back beyond the queue, and leaves other requests alone', async () => {
  const flood = scaled(1_000, 20);
  const { viewer, token } = await world.account('bystander@example.com').then(() => world.logIn('bystander@example.com'));
  const probe = async () => {
    const started = performance.now();
    await world.ask(systemViewer('gateway', 'req_prove'), 'query ($token: String!) { callerOfSession(token: $token) { accountId } }', {
      token,
    });
    await world.ask(viewer, '{ me { id } }');
    return performance.now() - started;
  };
  const attempts = Array.from({ length: flood }, (_, index) =>
    world
      .ask(stranger(), 'mutation ($email: String!) { sessionCreate(email: $email, password: "a guess") { token } }', {
        email: `flood-${index}@example.com`,
      })
      .then(({ errors }) => String(errors?.[0]?.extensions['code'])),
  );
  let over = false;
  const codes = Promise.all(attempts).finally(() => (over = true));
  const probes: number[] = [];
  while (!over) probes.push(await probe());
  const tally = Object.entries(Object.groupBy(await codes, (code) => code)).map(([code, all]) => `${code} ${all?.length}`);
  const slowest = probes.toSorted((one, other) => one - other)[Math.floor(probes.length * 0.99)] ?? 0;
  say(`flood of ${flood}: ${tally.join(', ')}; ${probes.length} other requests meanwhile, 99 % within ${slowest.toFixed(0)} ms`);
  expect(new Set(await codes)).toEqual(new Set(flood > 68 ? ['credentials_wrong', 'too_many_attempts'] : ['credentials_wrong']));
  expect(probes.length).toBeGreaterThan(0);
});
