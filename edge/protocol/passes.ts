// Passes authenticate a node at the part of the platform that does not know its key. Keys are enrolled with residential, and static reads only its own
// tables. So residential signs a pass for a node with a right key, valid for a minute. Both parts have the platform's secret, and neither calls the
// other.
import { type Clock, MINUTE } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { type SigningKeys, isSigned, macOf } from '#platform/mac.ts';

/** For this long a revoked node can still read static plans. */
const VALID_MS = MINUTE;
export const PASS_PREFIX = 'egress_pass_';

/** A node requests a new one before it expires. */
export interface EdgePass {
  pass: string;
  validMs: number;
}

export interface EdgePasses {
  give(edgeId: string): EdgePass;
  /** The id of the node. Throws `edge_unknown` for an invalid or expired pass. */
  edgeOf(pass: string): string;
}

/** `keys` must be the same in all processes of the platform. */
export function createEdgePasses(keys: SigningKeys, clock: Clock): EdgePasses {
  return {
    give(edgeId) {
      const signed = `${edgeId}.${clock.now().getTime() + VALID_MS}`;
      return { pass: `${PASS_PREFIX}${signed}.${macOf(keys, signed)}`, validMs: VALID_MS };
    },
    edgeOf(pass) {
      const [edgeId = '', until = '', signature = ''] = pass.startsWith(PASS_PREFIX) ? pass.slice(PASS_PREFIX.length).split('.') : [];
      if (!isSigned(keys, `${edgeId}.${until}`, signature)) throw fail('edge_unknown');
      if (!(Number(until) > clock.now().getTime())) throw fail('edge_unknown');
      return edgeId;
    },
  };
}
