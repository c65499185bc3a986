// The choice among a hundred thousand exits: what a new session and a rotating connection cost the event loop.
import { HOUR } from '#platform/clock.ts';
import { createExitPools } from '../../edge/exits.ts';
import type { ExitDefinition } from '../../edge/exit.ts';
import type { LineTarget } from '../../edge/protocol/line-username.ts';
import { localExit } from '../edge/world.ts';

const GOAL_US = 5;
const COUNTRIES = ['de', 'fr', 'it', 'us'];
const target = (session?: string): LineTarget => ({
  country: 'any',
  switchesWhenLost: false,
  ...(session !== undefined && { session, lifetime: 60 }),
});

export async function bench(short: boolean): Promise<void> {
  const picks = short ? 20_000 : 200_000;
  for (const count of [1_000, 100_000]) {
    let now = 0;
    const pools = createExitPools(
      Array.from({ length: count }, (_, index) =>
        localExit(index, {
          country: COUNTRIES[index % COUNTRIES.length],
          address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
        } as Partial<ExitDefinition>),
      ),
      () => now,
    );
    const began = performance.now();
    pools.pick('plan', 'PREMIUM', target('first'));
    pools.pick('plan', 'PREMIUM', target());
    const built = performance.now() - began;
    const timed = (pick: (number: number) => void): number => {
      const rounds = Array.from({ length: 5 }, (_, round) => {
        // CPU time, so that other processes do not count.
        const start = process.cpuUsage();
        for (let number = 0; number < picks; number++) pick(round * picks + number);
        const { user, system } = process.cpuUsage(start);
        // The sessions end before the next round, as they do on a real node.
        now += 2 * HOUR;
        pools.sweep();
        return (user + system) / picks;
      });
      return rounds.sort((a, b) => a - b)[2] as number;
    };
    const sticky = timed((number) => void pools.pick('plan', 'PREMIUM', target(`s${number}`)));
    const several = timed((number) => void pools.pick('plan', 'PREMIUM', { ...target(`c${number}`), country: 'de_fr_it' }));
    const rotating = timed((number) => void pools.pick(`plan${number % 100}`, 'PREMIUM', target()));
    console.log(
      `  ${count} exits: new session ${sticky.toFixed(2)} us, in three countries ${several.toFixed(2)} us, rotating ${rotating.toFixed(2)} us, tables made in ${built.toFixed(0)} ms` +
        ` (goal: under ${GOAL_US} us${Math.max(sticky, several, rotating) < GOAL_US ? '' : ': MISSED'})`,
    );
  }
}
