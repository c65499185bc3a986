// The desk's commands on servers: `npm run --silent servers -- COMMAND ... --by EMAIL`. Who may do it stands in accounts, what is done in compute.
import { withSubgraph } from '#platform/command.ts';
import { printAnswer, typedCommand, typedWords, usageOf } from '#platform/desk-command.ts';
import type { Viewer } from '#platform/identity.ts';
import { composition } from './configuration.ts';
import { asStaff } from './subgraphs/accounts/commands/as-staff.ts';
import { accounts } from './subgraphs/accounts/subgraph.ts';
import { SERVER_COMMANDS, SERVER_OPTIONS } from './subgraphs/compute/commands/desk-servers.ts';
import { compute } from './subgraphs/compute/subgraph.ts';

const USAGE = usageOf('servers', SERVER_COMMANDS, { width: 48, note: '--by names the member of staff who does it.' });

const typed = typedWords(SERVER_OPTIONS);
const { name, of, by, given } = typed;

let begun: { viewer: Viewer; command: (typeof SERVER_COMMANDS)[string] } | undefined;
await withSubgraph(accounts, composition, async (system, refuse) => {
  const command = typedCommand(SERVER_COMMANDS, typed, USAGE, refuse);
  const { viewer } = await asStaff(system, by, refuse);
  begun = { viewer, command };
});
if (begun) {
  const { viewer, command } = begun;
  await withSubgraph(compute, composition, (system, refuse) =>
    printAnswer({ ...system, viewer }, refuse, name, command, { ...given, of: of ?? '' }),
  );
}
