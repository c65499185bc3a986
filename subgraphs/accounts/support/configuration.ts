// What is read of the configuration to bound what support gives away.
import { configPart } from '#platform/config.ts';
import { count } from '#platform/config-values.ts';

export const supportConfiguration = configPart({
  STAFF_DAILY_LIMIT: [count(0).default(1_000), 'USD that one member of support may give away in a day, as credit and refunds'],
});
