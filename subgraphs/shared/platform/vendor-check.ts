// Whether what we stand on is set up as we need it: looked at when the platform starts, and by `npm run doctor`.
import type { Log } from './log.ts';

/** One thing that was looked at. */
export interface Finding {
  /** What it is: "key", "webhook". */
  what: string;
  ok: boolean;
  /** What was found, for the operator. */
  words: string;
}

/** A finding, and whose it is. */
export interface VendorFinding extends Finding {
  vendor: string;
}

/** check: look; setUp: set up what the vendor's API lets us. */
export type CheckMode = 'check' | 'setUp';

/** A vendor that can say how it is set up. Neither throws for what is wrong there: that is what they find. */
export interface Checkable {
  check(): Promise<Finding[]>;
  /** Sets up what its API lets us: the webhook. Secrets that it gives are in the words, once; absent: it is done by hand. */
  setUp?(): Promise<Finding[]>;
}

/** What `work` finds; its failure is a finding too. */
export const findings = async (what: string, work: () => Promise<Finding[]>): Promise<Finding[]> => {
  try {
    return await work();
  } catch (error) {
    return [{ what, ok: false, words: error instanceof Error ? error.message : String(error) }];
  }
};

/** What one vendor's own `work` finds. */
export const findingsOf = async (vendor: string, work: () => Promise<Finding[]>): Promise<VendorFinding[]> =>
  (await findings('answer', work)).map((finding) => ({ vendor, ...finding }));

/** When a process starts: what is wrong is said in the log, and nothing else waits for it. */
export async function reportFindings(log: Log, look: () => Promise<VendorFinding[]>): Promise<void> {
  try {
    for (const { ok, vendor, what, words } of await look())
      if (!ok) log.error({ vendor, what, words }, 'a vendor is not set up as it is needed');
  } catch (error) {
    log.error({ error: String(error) }, 'vendors could not be looked at');
  }
}
