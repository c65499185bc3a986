import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { LINE_TEST_FIELDS, type LineTestResult, SENT_NAMED, SENT_SHAPE, toSent } from './line-test.ts';
import { EXAMPLE_STATIC_PLAN } from './list-static-plans.ts';
import { type LineProblem, ON_LINE, PROBLEMS, text, toProblems } from './proxy-line.ts';

interface Result {
  staticLineTest: LineTestResult & { problems: LineProblem[]; planId: string | null; ip: string | null; location: string | null };
}

/** Not in the Spec. Sends a real request through a line of a static plan. */
export const testStaticLine = defineEndpoint({
  ...ON_LINE,
  path: '/v1/static/lines/test',
  tool: 'test_static_line',
  title: 'Test a static proxy line',
  description:
    "Sends one real request through a line of the account's ISP or datacenter plans, with the username and password in it, and tells the address that the " +
    'target sees, its place, how long it took, and what was wrong with how to mend it. Takes lines for HTTP, SOCKS5 (socks5://user:pass@ip:port) and ' +
    'HTTPS. Ten a minute for an account.',
  message: 'Line tested.',
  codes: ['too_many_attempts'],
  output: z.object({
    works: z.boolean().describe('A page answered through the line, and saw its address.'),
    problems: PROBLEMS.describe('What is wrong with the line by itself: whose it is, its address, port, password, or the plan.'),
    plan_id: text('The static plan that it belongs to (_id).'),
    ip: text('The address of the plan that it leads to.'),
    location: text('Where that is, as it is sold.'),
    ...SENT_SHAPE,
  }),
  named: { ...SENT_NAMED, problems: 'LineProblem' },
  readOnly: false,
  operation: /* GraphQL */ `
    mutation TestStaticLine($line: String!) {
      staticLineTest(line: $line) {
        ${LINE_TEST_FIELDS}
        problems {
          code
          message
        }
        planId
        ip
        location
      }
    }
  `,
  data: ({ staticLineTest: { problems, planId, ip, location, ...test } }: Result) => ({
    ...toSent(test),
    problems: toProblems(problems),
    plan_id: planId,
    ip,
    location,
  }),
  example: {
    input: { line: 'socks5://u7k2m9:s3cr3tpass@198.51.100.7:8000' },
    data: {
      works: true,
      sent: true,
      problems: [],
      fault: null,
      plan_id: EXAMPLE_STATIC_PLAN,
      ip: '198.51.100.7',
      location: 'Frankfurt',
      protocol: 'socks5',
      connect_ms: 61,
      first_byte_ms: 118,
      status: 200,
      exit: { address: '198.51.100.7', country: 'de', state: null, city: 'Frankfurt', asn: null, carrier: null },
      place_source: 'target',
    },
  },
});
