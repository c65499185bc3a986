import type { KeptTable } from '#platform/kept-data.ts';
import { OPEN } from '../kept-terms.ts';

export const teamsKept: readonly KeptTable[] = [
  {
    table: 'accounts.team_member',
    holds: 'who acts in which account, in which role, since when',
    kept: OPEN,
    of: '(account_id = :account or person_id = :account)',
    key: ['id'],
  },
  {
    table: 'accounts.team_invitation',
    holds: 'the e-mail address of somebody who is invited into a team',
    kept: 'until it is used, taken back or over, a week at most',
    of: 'account_id = :account',
    key: ['id'],
    secret: ['token_hash'],
  },
];
