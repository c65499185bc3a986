// Whether outside systems are set up as the platform needs them: checked at the start, and by `npm run doctor`.
import type { Log } from './log.ts';

/** The result of one check. */
export interface Finding {
  /** What was checked: "key", "webhook". */
  what: string;
  ok: boolean;
  /** What was found, for the operator. */
  words: string;
}

/** A finding and its vendor. */
export interface VendorFinding extends Finding {
  vendor: string;
}

/** check: only look; setUp: also set up what the vendor's API allows. */
export type CheckMode = 'check' | 'setUp';

/** A vendor whose set-up can be checked. Problems there are findings; neither method throws for them. */
export interface Checkable {
  check(): Promise<Finding[]>;
  /** Sets up what its API allows, such as the webhook. Secrets that it returns are in the findings' words, once. Absent: it is set up by hand. */
  setUp?(): Promise<Finding[]>;
}

/** The findings of `work`; its failure is a finding too. */
export const findings = async (what: string, work: () => Promise<Finding[]>): Promise<Finding[]> => {
  try {
    return await work();
  } catch (error) {
    return [{ what, ok: false, words: error instanceof Error ? error.message : String(error) }];
  }
};

/** The findings about one vendor. */
export const findingsOf = async (vendor: string, work: () => Promise<Finding[]>): Promise<VendorFinding[]> =>
  (await findings('answer', work)).map((finding) => ({ vendor, ...finding }));

/** At the start of a process: logs what is wrong; nothing waits for it. */
export async function reportFindings(log: Log, look: () => Promise<VendorFinding[]>): Promise<void> {
  try {
    for (const { ok, vendor, what, words } of await look())
      if (!ok) log.error({ vendor, what, words }, 'a vendor is not set up as it is needed');
  } catch (error) {
    log.error({ error: String(error) }, 'vendors could not be looked at');
  }
}
