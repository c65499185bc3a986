// Whether there is a newer release, by a document that the operator configures; without one nothing is requested.
import { z } from 'zod';
import { SECOND } from './clock.ts';
import type { Finding } from './vendor-check.ts';

const RELEASE = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  /** Where the release notes are. */
  notes: z.url().optional(),
  /** The release fixes a vulnerability: nobody should wait with the upgrade. */
  security: z.boolean().default(false),
});
const PATIENCE_MS = 5 * SECOND;

/** Negative when `a` is the earlier version. */
function compare(a: string, b: string): number {
  const [one, other] = [a.split('.').map(Number), b.split('.').map(Number)];
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

/** Compares this version with the newest release. `url`: a JSON document `{ version, notes, security }`. Throws when it cannot be read. */
export async function lookForRelease(url: string, version: string): Promise<Finding> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  const newest = RELEASE.parse(await answer.json());
  const what = 'release';
  if (compare(version, newest.version) >= 0) return { what, ok: true, words: `${version} is the newest` };
  const more = newest.notes === undefined ? '' : `: ${newest.notes}`;
  return {
    what,
    ok: !newest.security,
    words: `${version}, and ${newest.version} is out${newest.security ? ', which closes a hole' : ''}${more}`,
  };
}
