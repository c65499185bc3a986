// The operator's command: `npm run --silent set-up-code` prints a new code for the page that creates the first member of staff. The platform prints one too
// when it starts.
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
