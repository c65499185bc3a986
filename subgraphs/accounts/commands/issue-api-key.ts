// Support's command: `npm run --silent issue-api-key -- --email EMAIL --by EMAIL [--expires 30d]` issues a key and prints nothing but the key.
import { parseArgs } from 'node:util';
import { after } from '#platform/clock.ts';
import { withSubgraph } from '#platform/command.ts';
import { requirePermission } from '#platform/staff-rights.ts';
import { leavingTrail } from '#platform/staff-trail.ts';
import { composition } from '../composition.ts';
import { toSpan } from '../keys/domain/api-key.ts';
import { accountWithEmail } from '../identity/entities/account.ts';
import { issueApiKey } from '../keys/services/issue-api-key.ts';
import { accounts } from '../subgraph.ts';
import { asStaff } from './as-staff.ts';

const USAGE =
  'Usage: npm run --silent issue-api-key -- --email EMAIL --by EMAIL [--expires 30d]\n--by names the member of staff who issues it.';

await withSubgraph(accounts, composition, async (system, refuse) => {
  const { values } = parseArgs({ options: { email: { type: 'string' }, by: { type: 'string' }, expires: { type: 'string' } } });
  if (!values.email) throw refuse(USAGE);
  const ctx = await asStaff(system, values.by, refuse);
  requirePermission(ctx.viewer, 'api_keys');
  const span = values.expires === undefined ? undefined : toSpan(values.expires);
  if (values.expires !== undefined && span === undefined)
    throw refuse(`--expires takes days or hours such as 30d or 12h, not ${values.expires}.\n${USAGE}`);
  const account = await accountWithEmail(ctx.em, values.email);
  if (!account) throw refuse(`No account has the e-mail address ${values.email}.`);
  const wanted = { accountId: account.id, expiresAt: span === undefined ? null : after(ctx.clock.now(), span) };
  const { key } = await issueApiKey(leavingTrail(ctx, { act: 'issue-api-key', permission: 'api_keys', given: wanted }), wanted);
  process.stdout.write(`${key}\n`);
});
