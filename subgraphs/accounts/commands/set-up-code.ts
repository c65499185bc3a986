// Operator's command: `npm run --silent set-up-code` prints a code for the page on which the first member of staff is made, as the start does.
import { withSubgraph } from '#platform/command.ts';
import { composition } from '../composition.ts';
import { accounts } from '../subgraph.ts';
import { issueSetUpCode } from '../support/services/set-up.ts';

await withSubgraph(accounts, composition, async (ctx, refuse) => {
  const issued = await issueSetUpCode(ctx);
  if (!issued)
    throw refuse(
      'There is a member of staff already: further ones are appointed on the desk, or by npm run support -- appoint EMAIL --roles support --by EMAIL.',
    );
  process.stdout.write(`${issued.code}\nOnce, until ${issued.expiresAt.toISOString()}, at ${issued.url}\n`);
});
