// Sticky sessions begin on the platform: the first node that uses a session number says where it is, and every other node follows. Claims of one
// moment go together.
import type { ClaimedSession, ControlPlane, SessionClaim } from './protocol/control-plane.ts';

export interface SessionClaims {
  /** Undefined while the platform is away: the choice by hashing is the same on every node that has the same exits. */
  claim(claim: SessionClaim): Promise<ClaimedSession | undefined>;
}

interface Waiting {
  claim: SessionClaim;
  resolve(session: ClaimedSession | undefined): void;
}

/** More claims than this go in the next exchange. */
const BATCH_SIZE = 500;

export function createSessionClaims({ claim: ask }: Pick<ControlPlane, 'claim'>): SessionClaims {
  let waiting: Waiting[] = [];
  let busy = false;

  async function send(): Promise<void> {
    busy = true;
    // What begins in this turn of the event loop goes together.
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
