// What is read of the configuration to bound what one member of support gives away.
import { configPart } from '#platform/config.ts';
import { count } from '#platform/config-values.ts';

export const ledgerConfiguration = configPart({
  STAFF_DAILY_LIMIT: [count(0).default(1_000), 'USD that one member of support may give away in a day, as credit, refunds and pay-outs'],
  STAFF_GRANT_LIMIT: [
    count(0).default(250),
    'USD of credit that one member of support may give or pay out at once; for more a second one has to agree',
  ],
});
