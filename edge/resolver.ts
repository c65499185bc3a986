// Resolves names without getaddrinfo, whose four threads are shared with the rest of the process.
import { promises as dns } from 'node:dns';
import { MINUTE, SECOND } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { Lru } from '#platform/lru.ts';

export interface Resolver {
  /** All addresses of a name, IPv4 first. Throws `target_name_unknown`. */
  resolve(name: string): Promise<readonly string[]>;
}

const NAMES = 10_000;
const MIN_MS = SECOND;
const MAX_MS = MINUTE;
/** How long a failed resolution is cached. */
const UNKNOWN_MS = 5 * SECOND;
const TIMEOUT_MS = 5 * SECOND;

interface Answer {
  addresses: readonly string[];
  /** Monotonic milliseconds. */
  until: number;
}

/** `servers`: addresses of name servers; default: the system's. */
export function createResolver(options: { servers?: readonly string[] } = {}): Resolver {
  const client = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (options.servers) client.setServers([...options.servers]);
  const answers = new Lru<Answer>(NAMES);
  const asked = new Map<string, Promise<Answer>>();

  async function ask(name: string): Promise<Answer> {
    const [v4, v6] = await Promise.allSettled([client.resolve4(name, { ttl: true }), client.resolve6(name, { ttl: true })]);
    const records = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const ttlMs = records.length > 0 ? Math.min(...records.map(({ ttl }) => ttl * SECOND)) : UNKNOWN_MS;
    return {
      addresses: records.map(({ address }) => address),
      until: performance.now() + Math.min(MAX_MS, Math.max(MIN_MS, ttlMs)),
    };
  }

  return {
    async resolve(name) {
      let answer = answers.get(name);
      if (!answer || answer.until < performance.now()) {
        let pending = asked.get(name);
        if (!pending) {
          pending = ask(name).finally(() => asked.delete(name));
          asked.set(name, pending);
        }
        answer = await pending;
        answers.set(name, answer);
      }
      if (answer.addresses.length === 0) throw fail('target_name_unknown');
      return answer.addresses;
    },
  };
}
