// The register of personal data, table by table, as data protection law needs it: docs/data-protection.md.
import { type KeptTable } from '#platform/kept-data.ts';
import { kept as platform } from '#platform/kept.ts';
import { SUBGRAPH_DEFINITIONS } from './all-subgraphs.ts';

/** Every table, by the part of the platform that stores it. */
export const KEPT_BY: Readonly<Record<string, readonly KeptTable[]>> = {
  ...Object.fromEntries(Object.entries(SUBGRAPH_DEFINITIONS).map(([name, { kept }]) => [name, kept])),
  platform,
};

const INTRODUCTION = `# Personal data in the database

Generated from the code by \`npm run --silent register > docs/data-protection.md\`. The operator's record of processing activities can start from it; the
operator must add who is responsible, the purposes and the legal bases. A test checks that it lists exactly the tables of the database.

- Customers can download everything that is marked "copied" below, without secrets, as four files under Settings, Account:
  \`/account/data/account.json\`, \`residential.json\`, \`static.json\` and \`servers.json\`. Staff get the same files with \`?account=ID\`.
- When an account is closed, its e-mail address, its means to sign in, its keys and its saved cards are deleted at once, its proxies and servers stop, and
  the rows below are deleted or cleared as the tables say. Before that, the owner is told what is kept, and for how long.
- Data at payment processors, mail servers and hypervisors belongs in their own registers. Processors are told to delete the customer of a closed account.
`;

function rowOf({ table, holds, kept, of, atClosing }: KeptTable): string {
  const end = atClosing === undefined ? '' : atClosing === 'DELETE' ? 'deleted' : `cleared: ${Object.keys(atClosing).join(', ')}`;
  return `| \`${table}\` | ${holds ?? 'no personal data'} | ${kept} | ${holds && of ? 'copied' : ''} | ${end} |`;
}

export const registerPage = (): string =>
  [
    INTRODUCTION,
    ...Object.entries(KEPT_BY).map(([name, tables]) =>
      [
        `## Tables of ${name}`,
        '',
        '| Table | Personal data | Kept for how long | Copy | When the account is closed |',
        '|---|---|---|---|---|',
        ...tables.map(rowOf),
        '',
      ].join('\n'),
    ),
  ].join('\n');
