// Gets and caches this node's pass for the part of the platform that does not know its key.
import { PASS_ANSWER } from './protocol/messages.ts';
import type { EdgePass } from './protocol/passes.ts';

export interface NodePass {
  /** A valid pass, renewed after half of its validity. Rejects when there is none and the platform does not answer. */
  token(): Promise<string>;
  /** Drops a pass that was refused, so that a new one is requested. */
  forget(): void;
}

/** `client` authenticates with the node's key. */
export function createNodePass(
  client: { call(path: string, shape: typeof PASS_ANSWER): Promise<EdgePass> },
  monotonic: () => number = () => performance.now(),
): NodePass {
  let known: { pass: string; renewAt: number; until: number } | undefined;
  let asking: Promise<string> | undefined;

  async function ask(): Promise<string> {
    const askedAt = monotonic();
    try {
      const { pass, validMs } = await client.call('/edge/pass', PASS_ANSWER);
      known = { pass, renewAt: askedAt + validMs / 2, until: askedAt + validMs };
      return pass;
    } catch (error) {
      if (known && monotonic() < known.until) return known.pass;
      throw error;
    }
  }

  return {
    async token() {
      if (known && monotonic() < known.renewAt) return known.pass;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    forget() {
      known = undefined;
    },
  };
}
