// What the block lists cost a connection: a name and an address looked up among a million, against one look-up in a bare Set of the same names.
import { BlockedTargets } from '../../edge/blocked-targets.ts';

/** The name has three labels, so three look-ups, with two cuts of a text. */
const GOAL_RATIO = 6;

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/** Nanoseconds of CPU per call, the median of five rounds. */
function timed(calls: number, call: (number: number) => boolean): number {
  let found = 0;
  const rounds = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    for (let number = 0; number < calls; number++) if (call(number)) found++;
    const { user, system } = process.cpuUsage(start);
    return ((user + system) * 1_000) / calls;
  });
  if (found === 0) throw new Error('nothing was found');
  return median(rounds);
}

export async function bench(short: boolean): Promise<void> {
  const [count, calls] = short ? [10_000, 20_000] : [1_000_000, 1_000_000];
  const nameOf = (number: number) => `n${number % (2 * count)}.example.org`;
  const addressOf = (number: number) => `${20 + (number % 64)}.${(number >> 6) & 255}.${(number >> 14) & 255}.${number & 255}`;
  const bare = new Set<string>();
  const lists = new BlockedTargets();
  for (let number = 0; number < count; number++) {
    bare.add(nameOf(number));
    lists.addName(nameOf(number));
    lists.addNetwork(number % 10 === 0 ? `${addressOf(number)}/${16 + (number % 16)}` : addressOf(number));
  }
  // The texts are made before, so that only the look-ups count.
  const names = Array.from({ length: calls }, (_, number) => nameOf(number * 7));
  const addresses = Array.from({ length: calls }, (_, number) => addressOf(number * 7));
  const set = timed(calls, (number) => bare.has(names[number] as string));
  const name = timed(calls, (number) => lists.hasName(names[number] as string));
  const address = timed(calls, (number) => lists.hasAddress(addresses[number] as string));
  const ratio = name / set;
  console.log(
    `  ${lists.size} targets: a bare Set ${set.toFixed(0)} ns, a name ${name.toFixed(0)} ns (${ratio.toFixed(1)} times), an address ${address.toFixed(0)} ns` +
      ` (goal: a name under ${GOAL_RATIO} times${ratio < GOAL_RATIO ? '' : ': MISSED'})`,
  );
}
