// Support's desk at the command line: `npm run --silent support -- COMMAND ... --by EMAIL`. It runs the same use cases as the pages, and the account's activity
// names the member of staff whom `--by` names.
import { parseArgs } from 'node:util';
import { withSubgraph } from '#platform/command.ts';
import { composition } from '../composition.ts';
import { isStaffEmpty } from '../identity/services/staff.ts';
import { accounts } from '../subgraph.ts';
import { asFirstStaff, asStaff } from './as-staff.ts';
import { ACCOUNT_COMMANDS } from './desk-accounts.ts';
import { COUPON_COMMANDS } from './desk-coupons.ts';
import { CREDIT_COMMANDS } from './desk-credit.ts';
import { DISPUTE_COMMANDS } from './desk-disputes.ts';
import { EVENT_COMMANDS } from './desk-events.ts';
import { FINANCE_COMMANDS } from './desk-finance.ts';
import { INCIDENT_COMMANDS } from './desk-incidents.ts';
import { LEGAL_COMMANDS } from './desk-legal.ts';
import { ORDER_COMMANDS } from './desk-orders.ts';
import { RISK_COMMANDS } from './desk-risk.ts';
import { STAFF_COMMANDS } from './desk-staff.ts';
import { OPTIONS, Refusal, runCommand } from './desk.ts';

const COMMANDS = {
  ...ACCOUNT_COMMANDS,
  ...STAFF_COMMANDS,
  ...ORDER_COMMANDS,
  ...EVENT_COMMANDS,
  ...COUPON_COMMANDS,
  ...CREDIT_COMMANDS,
  ...DISPUTE_COMMANDS,
  ...FINANCE_COMMANDS,
  ...INCIDENT_COMMANDS,
  ...LEGAL_COMMANDS,
  ...RISK_COMMANDS,
};

const usage = () =>
  `Usage: npm run --silent support -- COMMAND --by EMAIL\n${Object.entries(COMMANDS)
    .map(([name, { words, about }]) => `  ${`${name} ${words}`.padEnd(44)} ${about}`)
    .join('\n')}\nACCOUNT is an e-mail address or an id; --by names the member of staff who does it.`;

await withSubgraph(accounts, composition, async (system, refuse) => {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { by: text, ...(Object.fromEntries(OPTIONS.map((name) => [name, text])) as Record<(typeof OPTIONS)[number], typeof text>) },
  });
  const [name = '', of] = positionals;
  const command = COMMANDS[name];
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
