import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { type LineProblem, ON_LINE, PLAN_OF_LINE, PROBLEMS, text, toProblems } from './proxy-line.ts';
import { EXAMPLE_PLAN } from './proxy-user.ts';

interface Result {
  proxyLineCheck: {
    works: boolean;
    problems: LineProblem[];
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

/** Not in the Spec. Says why a line does not work. */
export const checkProxyLine = defineEndpoint({
  ...ON_LINE,
  path: '/v1/residential/lines/check',
  tool: 'check_proxy_line',
  title: 'Check a proxy line',
  description:
    "Whether a line of the account's residential plans works now, and if not, every reason why: form, password, place, time, or the plan itself. " +
    'Takes host:port:user:pass, user:pass@host:port, URLs and the like. Nothing is sent through the line.',
  message: 'Line checked.',
  codes: [],
  output: z.object({
    works: z.boolean(),
    problems: PROBLEMS.describe('Every reason why it does not work; empty when it does.'),
    product: PLAN_OF_LINE,
    scheme: text('http, https or socks5.'),
    host: text('The proxy.'),
    port: z.int().nullable(),
    username: text('As the line carries it.'),
    country: text('The place that it asks for, as the username carries it; several countries are joined by an underscore.'),
    exclude: text('Countries that it leaves out, likewise.'),
    state: z.string().nullable(),
    city: z.string().nullable(),
    session: text('The session number of a sticky line.'),
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
  data: ({ proxyLineCheck: { problems, planId, sessionMinutes, ...read } }: Result) => ({
    ...read,
    problems: toProblems(problems),
    product: planId,
    session_minutes: sessionMinutes,
  }),
  example: {
    input: { line: 'proxy.example:7777:u7k2m9-country-de-session-48120394-sessionttl-45:s3cr3tpass' },
    data: {
      works: false,
      problems: [{ code: 'time_not_allowed', message: 'time must be one of 30, 60, 120, 240 minutes for Premium.' }],
      product: EXAMPLE_PLAN,
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
