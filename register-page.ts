// The register of personal data, table by table, as data protection law needs it: docs/data-protection.md.
import { type KeptTable } from '#platform/kept-data.ts';
import { kept as platform } from '#platform/kept.ts';
import { SUBGRAPH_DEFINITIONS } from './all-subgraphs.ts';

/** Every table, by the part of the platform that stores it. */
export const KEPT_BY: Readonly<Record<string, readonly KeptTable[]>> = {
  ...Object.fromEntries(Object.entries(SUBGRAPH_DEFINITIONS).map(([name, { kept }]) => [name, kept])),
  platform,
};

const INTRODUCTION = `# What is kept of people

Made by \`npm run --silent register > docs/data-protection.md\` from the code: the operator's register of what is processed begins with it, and who is
responsible, for what purpose and on what ground stands in the operator's own words beside it. A test holds it equal to the tables of the database.

- A customer has a copy of all that is "copied" below, without secrets, as four files under Settings, Account: \`/account/data/account.json\`, \`residential.json\`,
  \`static.json\` and \`servers.json\`. Staff get the same with \`?account=ID\`.
- An account that is closed loses its e-mail address, its ways in, its keys and its saved cards at once, its proxies and servers stop, and what says so
  below goes. Before it is closed, it is said what is kept, and for how long.
- What a payment processor, a mail server or a hypervisor keeps stands in their own registers; processors are told to forget a customer that is closed.
`;

function rowOf({ table, holds, kept, of, atClosing }: KeptTable): string {
  const end = atClosing === undefined ? '' : atClosing === 'DELETE' ? 'deleted' : `cleared: ${Object.keys(atClosing).join(', ')}`;
  return `| \`${table}\` | ${holds ?? 'nothing of people'} | ${kept} | ${holds && of ? 'copied' : ''} | ${end} |`;
}

export const registerPage = (): string =>
  [
    INTRODUCTION,
    ...Object.entries(KEPT_BY).map(([name, tables]) =>
      [
        `## Of ${name}`,
        '',
        '| Table | What it holds of people | How long | Copy | When the account is closed |',
        '|---|---|---|---|---|',
        ...tables.map(rowOf),
        '',
      ].join('\n'),
    ),
  ].join('\n');
