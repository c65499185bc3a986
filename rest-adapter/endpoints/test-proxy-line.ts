import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { LINE_TEST_FIELDS, type LineTestResult, SENT_NAMED, SENT_SHAPE, toSent } from './line-test.ts';
import { type LineProblem, ON_LINE, PLAN_OF_LINE, PROBLEMS, toProblems } from './proxy-line.ts';
import { EXAMPLE_PLAN } from './proxy-user.ts';

interface Result {
  proxyLineTest: LineTestResult & {
    check: { problems: LineProblem[]; planId: string | null };
    upBytes: string;
    downBytes: string;
  };
}

/** Not in the Spec. Sends a real request through a line. */
export const testProxyLine = defineEndpoint({
  ...ON_LINE,
  path: '/v1/residential/lines/test',
  tool: 'test_proxy_line',
  title: 'Test a proxy line',
  description:
    "Sends one real request through a line of the account's residential plans, and tells the address, place and network that the target sees, how long it " +
    'took, and what was wrong with how to mend it. Its traffic, some hundred bytes, is counted against the plan. Ten a minute for an account. To find ' +
    'mistakes in a line without traffic, call check_proxy_line; for lines of ISP and datacenter plans, test_static_line.',
  message: 'Line tested.',
  codes: ['too_many_attempts'],
  output: z.object({
    works: z.boolean().describe('A page answered through the line, from a country that the line asks for.'),
    problems: PROBLEMS.describe('What is wrong with the line by itself, as check_proxy_line tells.'),
    product: PLAN_OF_LINE,
    ...SENT_SHAPE,
    up_bytes: z.int().min(0).describe('Counted against the plan.'),
    down_bytes: z.int().min(0),
  }),
  named: { ...SENT_NAMED, problems: 'LineProblem' },
  readOnly: false,
  operation: /* GraphQL */ `
    mutation TestProxyLine($line: String!) {
      proxyLineTest(line: $line) {
        ${LINE_TEST_FIELDS}
        check {
          problems {
            code
            message
          }
          planId
        }
        upBytes
        downBytes
      }
    }
  `,
  data: ({ proxyLineTest: { check, upBytes, downBytes, ...test } }: Result) => ({
    ...toSent(test),
    problems: toProblems(check.problems),
    product: check.planId,
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
