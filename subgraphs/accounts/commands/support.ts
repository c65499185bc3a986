// Support's desk at the command line: `npm run --silent support -- COMMAND ... --by EMAIL`. It runs the same use cases as the pages, and the account's activity
// names the member of staff whom `--by` names.
import { parseArgs } from 'node:util';
import { withSubgraph } from '#platform/command.ts';
import { composition } from '../composition.ts';
import { isStaffEmpty } from '../identity/services/staff.ts';
import { accounts } from '../subgraph.ts';
import { asFirstStaff, asStaff } from './as-staff.ts';
import { DESK_COMMANDS } from './desk-commands.ts';
import { OPTIONS, Refusal, runCommand } from './desk.ts';

const usage = () =>
  `Usage: npm run --silent support -- COMMAND --by EMAIL\n${Object.entries(DESK_COMMANDS)
    .map(([name, { words, about }]) => `  ${`${name} ${words}`.padEnd(44)} ${about}`)
    .join('\n')}\nACCOUNT is an e-mail address or an id; --by names the member of staff who does it.`;

await withSubgraph(accounts, composition, async (system, refuse) => {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { by: text, ...(Object.fromEntries(OPTIONS.map((name) => [name, text])) as Record<(typeof OPTIONS)[number], typeof text>) },
  });
  const [name = '', of] = positionals;
  const command = DESK_COMMANDS[name];
  if (!command || (of === undefined && command.words !== '')) throw refuse(usage());
  const { by, ...words } = values;
  const first = name === 'appoint' && by === of && (await isStaffEmpty(system));
  const ctx = await (first ? asFirstStaff(system, of ?? '', refuse) : asStaff(system, by, refuse));
  try {
    process.stdout.write(`${await runCommand(ctx, name, command, { ...words, of: of ?? '' })}\n`);
  } catch (error) {
    throw error instanceof Refusal ? refuse(error.message) : error;
  }
});
