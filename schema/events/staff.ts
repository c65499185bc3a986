// What members of staff do at the desk: whichever subgraph they do it in, accounts keeps it. The subject is the account of the member.
import { z } from 'zod';
import type { EventTerms } from './terms.ts';

export const STAFF_EVENTS = {
  'staff.acted': {
    when: 'A member of staff has changed something, by an operation of the contract or by a command.',
    data: z.object({
      /** The field of the contract, or the words of the command. */
      act: z.string(),
      permission: z.string(),
      /** What was given, by its name: shortened, and nothing that is secret. */
      given: z.record(z.string(), z.string()),
      address: z.string(),
      requestId: z.string(),
    }),
  },
} as const satisfies Record<string, EventTerms>;
