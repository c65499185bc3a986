// Claims sticky sessions on the platform: the first node that uses a session number chooses the exit, and all other nodes use the same. Concurrent
// claims are sent together.
import type { ClaimedSession, ControlPlane, SessionClaim } from './protocol/control-plane.ts';

export interface SessionClaims {
  /** Undefined while the platform does not answer: then every node with the same exits chooses the same one by hashing. */
  claim(claim: SessionClaim): Promise<ClaimedSession | undefined>;
}

interface Waiting {
  claim: SessionClaim;
  resolve(session: ClaimedSession | undefined): void;
}

/** Further claims wait for the next exchange. */
const BATCH_SIZE = 500;

export function createSessionClaims({ claim: ask }: Pick<ControlPlane, 'claim'>): SessionClaims {
  let waiting: Waiting[] = [];
  let busy = false;

  async function send(): Promise<void> {
    busy = true;
    // All claims of this turn of the event loop are sent together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_SIZE);
      waiting = waiting.slice(BATCH_SIZE);
      const answers = await ask(batch.map(({ claim }) => claim)).catch(() => []);
      batch.forEach(({ resolve }, index) => resolve(answers[index]));
    }
    busy = false;
  }

  return {
    claim: (claim) =>
      new Promise((resolve) => {
        waiting.push({ claim, resolve });
        if (!busy) void send();
      }),
  };
}
