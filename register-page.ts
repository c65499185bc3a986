// The register of personal data, table by table, as data protection law needs it: docs/data-protection.md.
import { type KeptTable } from '#platform/kept-data.ts';
import { kept as platform } from '#platform/kept.ts';
import { SUBGRAPH_DEFINITIONS } from './all-subgraphs.ts';
import { DEFAULT_RETENTION, RETENTION, RETENTION_KINDS, type Retention, type RetentionKind } from './schema/retention.ts';

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
- The page in the repository has the default terms; the command prints those that are set. What is older is deleted within minutes, of the ledger of bytes
  within a day and by whole weeks.
- Data at payment processors, mail servers and hypervisors belongs in their own registers. Processors are told to delete the customer of a closed account.
`;

/** A term with the days that are set. */
const termOf = (kept: string, retention: Retention): string =>
  kept.replaceAll(/\{(\w+)\}/g, (_, kind: RetentionKind) => retention[kind].toLocaleString('en'));

/** The terms that an operator may set. */
const termsTable = (retention: Retention): string =>
  [
    '## Terms that the operator may set',
    '',
    '| Variable | Days | What is kept so long |',
    '|---|---|---|',
    ...RETENTION_KINDS.map(
      (kind) => `| \`${RETENTION[kind].variable}\` | ${retention[kind].toLocaleString('en')} | ${RETENTION[kind].keeps} |`,
    ),
    '',
  ].join('\n');

function rowOf({ table, holds, kept, of, atClosing }: KeptTable, retention: Retention): string {
  const end = atClosing === undefined ? '' : atClosing === 'DELETE' ? 'deleted' : `cleared: ${Object.keys(atClosing).join(', ')}`;
  return `| \`${table}\` | ${holds ?? 'no personal data'} | ${termOf(kept, retention)} | ${holds && of ? 'copied' : ''} | ${end} |`;
}

/** `retention`: the operator's; absent: the defaults. */
export const registerPage = (retention: Retention = DEFAULT_RETENTION): string =>
  [
    INTRODUCTION,
    termsTable(retention),
    ...Object.entries(KEPT_BY).map(([name, tables]) =>
      [
        `## Tables of ${name}`,
        '',
        '| Table | Personal data | Kept for how long | Copy | When the account is closed |',
        '|---|---|---|---|---|',
        ...tables.map((table) => rowOf(table, retention)),
        '',
      ].join('\n'),
    ),
  ].join('\n');
