// Support's desk at the command line: `npm run --silent support -- COMMAND ... --by EMAIL`. It runs the same use cases as the pages, and the account's activity
// names the member of staff whom `--by` names.
import { withSubgraph } from '#platform/command.ts';
import { printAnswer, typedCommand, typedWords, usageOf } from '#platform/desk-command.ts';
import { composition } from '../composition.ts';
import { isStaffEmpty } from '../identity/services/staff.ts';
import { accounts } from '../subgraph.ts';
import { asFirstStaff, asStaff } from './as-staff.ts';
import { DESK_COMMANDS } from './desk-commands.ts';
import { OPTIONS } from './desk.ts';

const NOTE = 'ACCOUNT is an e-mail address or an id; --by names the member of staff who does it.';

await withSubgraph(accounts, composition, async (system, refuse) => {
  const typed = typedWords(OPTIONS);
  const command = typedCommand(DESK_COMMANDS, typed, usageOf('support', DESK_COMMANDS, { width: 44, note: NOTE }), refuse);
  const { name, of, by, given } = typed;
  const first = name === 'appoint' && by === of && (await isStaffEmpty(system));
  const ctx = await (first ? asFirstStaff(system, of ?? '', refuse) : asStaff(system, by, refuse));
  await printAnswer(ctx, refuse, name, command, { ...given, of: of ?? '' });
});
