// The typed client and the command for customers. The list of commands is the command's own.
import { COMMANDS } from '../command-line/commands/index.ts';
import { type DocsPage, code, heading, list, paragraph, table } from './page.ts';

export const clientsPage = (publicUrl: string): DocsPage => ({
  path: '/docs/clients',
  title: 'Client and command',
  summary:
    'A typed client for programs in TypeScript and JavaScript, and `egress` for terminals and scripts. Support sends you both packages.',
  blocks: [
    heading('The client'),
    paragraph(
      '`egress-client` has a method for each operation, with its types, and needs nothing but `fetch`: Node 20, Deno, Bun, browsers. It waits and tries again where the API asks to, and reads lists to their end.',
    ),
    code(
      'js',
      `import { EgressRefusal, createClient } from 'egress-client';\n\nconst client = createClient({ url: '${publicUrl}', key: process.env.API_KEY });\ntry {\n  const { plans } = await client.listResidentialPlans();\n  console.log(JSON.stringify(plans));\n} catch (error) {\n  if (!(error instanceof EgressRefusal)) throw error;\n  console.error(error.code, error.meta.field, error.meta.allowed);\n}`,
    ),
    heading('The command'),
    paragraph(
      '`egress` takes its key from `EGRESS_API_KEY`, from a file (`egress key save`, or `--key-file`), or asks for it. Every command takes `--json`. Exit codes: 0 done, 1 refused, 2 called wrongly, 3 no answer, 4 the key may not, 5 the key’s requests are used up.',
    ),
    code('sh', `export EGRESS_URL=${publicUrl} EGRESS_API_KEY=$API_KEY\negress plans\negress generate PLAN --pool Germany --quantity 10`),
    table(
      ['Command', 'What it does'],
      COMMANDS.map(({ name, operands = [], says }) => [`\`egress ${[name, ...operands].join(' ')}\``, says]),
    ),
    heading('Other languages'),
    list(
      '[OpenAPI 3.1](/openapi.json) names every type: generators for other languages read it.',
      'Samples in curl, Python, Node, Go and PHP stand with each reading operation of [the reference](/docs/api).',
    ),
  ],
});
