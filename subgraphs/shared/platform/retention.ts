// The operator's terms for what is kept of people, read from the configuration: one variable per row of the table in `schema/retention.ts`.
import { RETENTION, RETENTION_KINDS, type Retention, type RetentionKind } from '../../../schema/retention.ts';
import { type Config, type Variables, configPart, readVariables } from './config.ts';
import { count } from './config-values.ts';

const READERS = 'accounts, residential and compute: for how many days what is known of people is kept';

const variables: Variables = Object.fromEntries(
  RETENTION_KINDS.map((kind) => {
    const { variable, days, least, most, keeps } = RETENTION[kind];
    return [variable, [count(least).max(most, `must be ${most} at most`).default(days), keeps, READERS]];
  }),
);

/** The first may not be kept longer than the second: without the session, nobody is idle; without its weeks of the ledger, no lease can be entered. */
const WITHIN: readonly (readonly [RetentionKind, RetentionKind])[] = [
  ['idleSessions', 'sessions'],
  ['leases', 'usage'],
];

export const retentionConfiguration = configPart(variables, {
  refusals: (own) =>
    WITHIN.map(([one, other]) => [RETENTION[one].variable, RETENTION[other].variable] as const).flatMap(([one, other]) =>
      Number(own[one]) > Number(own[other]) ? [`${one} must not be more than ${other}.`] : [],
    ),
});

const toRetention = (own: Readonly<Record<string, unknown>>): Retention =>
  Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, own[RETENTION[kind].variable]])) as Retention;

export const retentionOf = (config: Config): Retention => toRetention(retentionConfiguration.of(config));

/** The same without the rest of the configuration. Throws a StartFailure with one sentence per wrong value. */
export const readRetention = (environment: Record<string, string | undefined>): Retention =>
  toRetention(readVariables(variables, environment));
