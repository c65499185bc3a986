// What a node shows at the part of the platform that does not know its key. Keys are enrolled with residential, and static reads no table but its
// own: so residential signs, for a node whose key is right, that it is a node, for a minute. Both hold the platform's secret, and neither calls the
// other.
import { type Clock, MINUTE } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { type SigningKeys, isSigned, macOf } from '#platform/mac.ts';

/** A revoked node reads static plans for no longer than this. */
const VALID_MS = MINUTE;
export const PASS_PREFIX = 'egress_pass_';

/** A node asks for another one before it is over. */
export interface EdgePass {
  pass: string;
  validMs: number;
}

export interface EdgePasses {
  give(edgeId: string): EdgePass;
  /** The id of the node. Throws `edge_unknown` for what is no pass, altered, or over. */
  edgeOf(pass: string): string;
}

/** `keys` are the same in all processes of the platform. */
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
