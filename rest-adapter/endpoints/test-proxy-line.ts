import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { type LineProblem, ON_LINE, PLAN_OF_LINE, PROBLEMS, text, toProblems } from './proxy-line.ts';
import { EXAMPLE_PLAN } from './proxy-user.ts';

interface Result {
  proxyLineTest: {
    works: boolean;
    check: { problems: LineProblem[]; planId: string | null };
    isSent: boolean;
    protocol: string | null;
    connectMs: number | null;
    firstByteMs: number | null;
    status: number | null;
    exit: Record<'address', string> | null;
    placeSource: string | null;
    upBytes: string;
    downBytes: string;
    fault: { code: string; message: string; hint: string | null } | null;
  };
}

const milliseconds = (description: string) => z.int().nullable().describe(description);

/** Not in the Spec. Sends a real request through a line. */
export const testProxyLine = defineEndpoint({
  ...ON_LINE,
  path: '/v1/residential/lines/test',
  tool: 'test_proxy_line',
  title: 'Test a proxy line',
  description:
    "Sends one real request through a line of the account's residential plans, and tells the address, place and network that the target sees, how long it " +
    'took, and what was wrong with how to mend it. Its traffic, some hundred bytes, is counted against the plan. Ten a minute for an account. To find ' +
    'mistakes in a line without traffic, call check_proxy_line.',
  message: 'Line tested.',
  codes: ['too_many_attempts'],
  output: z.object({
    works: z.boolean().describe('A page answered through the line, from a country that the line asks for.'),
    sent: z.boolean().describe('False: nothing was sent, for the reasons in problems.'),
    problems: PROBLEMS.describe('What is wrong with the line by itself, as check_proxy_line tells.'),
    fault: z
      .object({
        code: z.string(),
        message: z.string(),
        hint: z.string().nullable().describe('How to mend it, where the message does not say.'),
      })
      .nullable()
      .describe('What was wrong with the request that was sent: the code that the proxy told, or one that begins with line_test_.'),
    product: PLAN_OF_LINE,
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
    up_bytes: z.int().min(0).describe('Counted against the plan.'),
    down_bytes: z.int().min(0),
  }),
  named: { exit: 'LineExit', fault: 'ProxyFault', problems: 'LineProblem' },
  readOnly: false,
  operation: /* GraphQL */ `
    mutation TestProxyLine($line: String!) {
      proxyLineTest(line: $line) {
        works
        check {
          problems {
            code
            message
          }
          planId
        }
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
        upBytes
        downBytes
        fault {
          code
          message
          hint
        }
      }
    }
  `,
  data: ({ proxyLineTest: { check, isSent, protocol, connectMs, firstByteMs, placeSource, upBytes, downBytes, ...test } }: Result) => ({
    ...test,
    sent: isSent,
    problems: toProblems(check.problems),
    product: check.planId,
    protocol: protocol?.toLowerCase() ?? null,
    connect_ms: connectMs,
    first_byte_ms: firstByteMs,
    place_source: placeSource?.toLowerCase() ?? null,
    up_bytes: Number(upBytes),
    down_bytes: Number(downBytes),
  }),
  example: {
    input: { line: 'proxy.example:7777:u7k2m9-country-de-session-48120394-sessionttl-30:s3cr3tpass' },
    data: {
      works: true,
      sent: true,
      problems: [],
      fault: null,
      product: EXAMPLE_PLAN,
      protocol: 'http',
      connect_ms: 184,
      first_byte_ms: 371,
      status: 200,
      exit: { address: '203.0.113.41', country: 'de', state: 'bavaria', city: 'munich', asn: 64500, carrier: 'Example Telecom' },
      place_source: 'exit',
      up_bytes: 131,
      down_bytes: 246,
    },
  },
});
