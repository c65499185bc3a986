import type { KeptTable } from '#platform/kept-data.ts';
import { OF_ACCOUNT } from '../kept-terms.ts';

export const appsKept: readonly KeptTable[] = [
  {
    table: 'accounts.oauth_record',
    holds: 'programs that the account has let in, and since when',
    kept: 'a year at most; tokens a month, sign-ins under way an hour',
    of: OF_ACCOUNT,
    key: ['id'],
    secret: ['payload', 'uid'],
  },
];
