// What a real request through a proxy line tells, in the words of REST: the same for all products whose lines are tested.
import { z } from 'zod';
import { text } from './proxy-line.ts';

export interface LineTestResult {
  works: boolean;
  isSent: boolean;
  protocol: string | null;
  connectMs: number | null;
  firstByteMs: number | null;
  status: number | null;
  exit: Record<'address', string> | null;
  placeSource: string | null;
  fault: { code: string; message: string; hint: string | null } | null;
}

export const LINE_TEST_FIELDS = /* GraphQL */ `
  works
  isSent
  protocol
  connectMs
  firstByteMs
  status
  exit {
    address
    country
    state
    city
    asn
    carrier
  }
  placeSource
  fault {
    code
    message
    hint
  }
`;

const milliseconds = (description: string) => z.int().nullable().describe(description);

/** What was sent, and what was wrong with it. */
export const SENT_SHAPE = {
  sent: z.boolean().describe('False: nothing was sent, for the reasons in problems.'),
  fault: z
    .object({
      code: z.string(),
      message: z.string(),
      hint: z.string().nullable().describe('How to mend it, where the message does not say.'),
    })
    .nullable()
    .describe('What was wrong with the request that was sent: the code that the proxy told, or one of tests of lines.'),
  protocol: text('http, https or socks5.'),
  connect_ms: milliseconds('Until the tunnel to the target was open, since the connection to the proxy was begun.'),
  first_byte_ms: milliseconds("Until the first byte of the target's answer, likewise."),
  status: z.int().nullable().describe('What the target answered.'),
  exit: z
    .object({
      address: z.string(),
      country: text('Lower-case ISO 3166 code.'),
      state: text('Null, like all that follow: nobody tells.'),
      city: z.string().nullable(),
      asn: z.int().nullable().describe('Number of the autonomous system.'),
      carrier: text('Who holds the network.'),
    })
    .nullable()
    .describe('Where the target saw the line.'),
  place_source: z.enum(['target', 'exit']).nullable().describe('Who says where that is: the page that was asked, or the operator.'),
};

export const SENT_NAMED = { exit: 'LineExit', fault: 'ProxyFault' } as const;

export const toSent = ({ isSent, protocol, connectMs, firstByteMs, placeSource, ...test }: LineTestResult) => ({
  ...test,
  sent: isSent,
  protocol: protocol?.toLowerCase() ?? null,
  connect_ms: connectMs,
  first_byte_ms: firstByteMs,
  place_source: placeSource?.toLowerCase() ?? null,
});
