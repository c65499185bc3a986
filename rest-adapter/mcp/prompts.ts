// Common work as prompts: what to ask for, in words that name the tools. Clients offer them to people, for example as commands.
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Scope } from '#platform/identity.ts';
import { type McpCaller, mayCall } from './caller.ts';

type Given = Readonly<Record<string, string>>;

interface Prompt {
  name: string;
  title: string;
  description: string;
  scope: Scope;
  /** Its arguments, all of them text. */
  input: z.ZodObject;
  /** The sentences of the prompt. `given`: arguments that are not empty. */
  says(given: Given): readonly string[];
}

const argument = (description: string) => z.string().max(200).describe(description);
const plan = () => argument('The plan (product_id). Left out: the one that fits.').optional();

const ofPlan = ({ product }: Given): string =>
  product === undefined ? 'Call list_residential_plans, and ask me which plan if it is not clear.' : `The plan is ${product}.`;

const PROMPTS: readonly Prompt[] = [
  {
    name: 'set_up_proxies',
    title: 'Set up proxies',
    description: 'Lines for a place and a tool, and the code that uses them.',
    scope: 'generate',
    input: z.object({
      tool: argument('What will use them: Python requests, Playwright, curl, ...'),
      place: argument('A country, Worldwide or Europe.').optional(),
      product: plan(),
    }),
    says: ({ tool = '', place = 'Worldwide', ...given }) => [
      `Set up residential proxies for ${tool} that leave from ${place}.`,
      ofPlan(given),
      'Check the place with list_locations. Ask me whether each connection needs a fresh address (rotating) or one that stays (sticky), and for how long.',
      `Generate two lines with generate_residential_proxies, check one with check_proxy_line, and write the shortest code for ${tool} that uses them.`,
      'Lines contain passwords: show them once, in the code.',
    ],
  },
  {
    name: 'where_did_my_data_go',
    title: 'Where did my data go?',
    description: 'Explains the use of a plan: hosts, countries, sessions and users, and what stands out.',
    scope: 'read',
    input: z.object({ product: plan(), days: argument('Of the last so many days; else 7.').optional() }),
    says: ({ days = '7', ...given }) => [
      `Explain where the data of my residential plan went in the last ${days} days.`,
      ofPlan(given),
      'Call get_residential_usage and get_residential_statistics, then get_usage_breakdown by day, host, country, session and user for that time. Where hosts are kept hashed or off, say so.',
      'Say in a few sentences what used the most, what is new or unusual, how long the rest will last at this rate, and what I could do.',
    ],
  },
  {
    name: 'account_report',
    title: 'Report on the account',
    description: 'What there is, what is left of it, and what needs attention.',
    scope: 'read',
    input: z.object({}),
    says: () => [
      'Write a short report on my account.',
      'Call list_residential_plans, get_residential_usage for each active plan, list_static_plans, get_subscriptions and, if you have it, list_servers.',
      'Give a table of what there is with what is left and when it renews or ends.',
      'Then list what needs attention: plans that are paused or nearly used up, suspended addresses or servers, payments that are due.',
    ],
  },
  {
    name: 'why_does_this_line_fail',
    title: 'Why does this line fail?',
    description: 'Finds out why a proxy line does not work, and mends it.',
    scope: 'generate',
    input: z.object({ line: argument('The line, as it is used.'), error: argument('What the tool says.').optional() }),
    says: ({ line = '', error }) => [
      `This proxy line does not work: ${line}`,
      ...(error === undefined ? [] : [`The tool says: ${error}`]),
      'Call check_proxy_line with it, and where that finds nothing test_proxy_line, whose request is counted. Explain each problem in a sentence, and give me ' +
        'a line that works: mended, or generated anew for the same place.',
    ],
  },
];

/** Offers the prompts whose tools the caller's key may call. */
export function registerPrompts(server: McpServer, { viewer }: McpCaller): void {
  for (const { name, title, description, input, says } of PROMPTS.filter((prompt) => mayCall(viewer, prompt))) {
    server.registerPrompt(name, { title, description, argsSchema: input }, (given: Record<string, unknown>) => {
      const filled = Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
      return { messages: [{ role: 'user', content: { type: 'text', text: says(Object.fromEntries(filled)).join('\n') } }] };
    });
  }
}
