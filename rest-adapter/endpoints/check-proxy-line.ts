import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

interface Result {
  proxyLineCheck: {
    works: boolean;
    problems: { code: string; message: string }[];
    planId: string | null;
    scheme: string | null;
    host: string | null;
    port: number | null;
    username: string | null;
    country: string | null;
    exclude: string | null;
    state: string | null;
    city: string | null;
    session: string | null;
    turn: number | null;
    sessionMinutes: number | null;
  };
}

const read = (description: string) => z.string().nullable().describe(description);

/** Not in the Spec. Says why a line does not work. */
export const checkProxyLine = defineEndpoint({
  method: 'POST',
  path: '/v1/residential/lines/check',
  tool: 'check_proxy_line',
  title: 'Check a proxy line',
  description:
    "Whether a line of the account's residential plans works now, and if not, every reason why: form, password, place, time, or the plan itself. " +
    'Takes host:port:user:pass, user:pass@host:port, URLs and the like. Nothing is sent through the line.',
  message: 'Line checked.',
  scope: 'generate',
  input: z.object({ line: z.string().min(1).max(2_000).describe('The line as it is used.') }),
  restNames: {},
  refusals: {},
  codes: [],
  output: z.object({
    works: z.boolean(),
    problems: z
      .array(z.object({ code: z.string().describe('Lower case.'), message: z.string() }))
      .describe('Every reason why it does not work; empty when it does.'),
    product: read('The product_id of the plan that it belongs to.'),
    scheme: read('http, https or socks5.'),
    host: read('The proxy.'),
    port: z.int().nullable(),
    username: read('As the line carries it.'),
    country: read('The place that it asks for, as the username carries it; several countries are joined by an underscore.'),
    exclude: read('Countries that it leaves out, likewise.'),
    state: z.string().nullable(),
    city: z.string().nullable(),
    session: read('The session number of a sticky line.'),
    turn: z.int().nullable().describe('How often the session has asked for another address.'),
    session_minutes: z.int().nullable(),
  }),
  readOnly: true,
  operation: /* GraphQL */ `
    query CheckProxyLine($line: String!) {
      proxyLineCheck(line: $line) {
        works
        problems {
          code
          message
        }
        planId
        scheme
        host
        port
        username
        country
        exclude
        state
        city
        session
        turn
        sessionMinutes
      }
    }
  `,
  variables: ({ line }) => ({ line }),
  data: ({ proxyLineCheck: { problems, planId, sessionMinutes, ...read } }: Result) => ({
    ...read,
    problems: problems.map(({ code, message }) => ({ code: code.toLowerCase(), message })),
    product: planId,
    session_minutes: sessionMinutes,
  }),
  example: {
    input: { line: 'proxy.example:7777:u7k2m9-country-de-session-48120394-sessionttl-45:s3cr3tpass' },
    data: {
      works: false,
      problems: [{ code: 'time_not_allowed', message: 'time must be one of 30, 60, 120, 240 minutes for Premium.' }],
      product: 'plan_01jd8x4m2c7n5q9r3t6v8w0y1z',
      scheme: 'http',
      host: 'proxy.example',
      port: 7777,
      username: 'u7k2m9-country-de-session-48120394-sessionttl-45',
      country: 'de',
      exclude: null,
      state: null,
      city: null,
      session: '48120394',
      turn: null,
      session_minutes: 45,
    },
  },
});
