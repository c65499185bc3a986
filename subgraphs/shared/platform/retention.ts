// The operator's terms for what is kept of people, read from the configuration: one variable per row of the table in `schema/retention.ts`.
import { RETENTION, RETENTION_KINDS, type Retention } from '../../../schema/retention.ts';
import { type Config, type Variables, configPart, readVariables } from './config.ts';
import { count } from './config-values.ts';

const READERS = 'accounts and residential: for how many days what is known of people is kept';

const variables: Variables = Object.fromEntries(
  RETENTION_KINDS.map((kind) => {
    const { variable, days, least, most, keeps } = RETENTION[kind];
    return [variable, [count(least).max(most, `must be ${most} at most`).default(days), keeps, READERS]];
  }),
);

export const retentionConfiguration = configPart(variables, {
  refusals: (own) =>
    Number(own[RETENTION.idleSessions.variable]) > Number(own[RETENTION.sessions.variable])
      ? [`${RETENTION.idleSessions.variable} must not be more than ${RETENTION.sessions.variable}.`]
      : [],
});

const toRetention = (own: Readonly<Record<string, unknown>>): Retention =>
  Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, own[RETENTION[kind].variable]])) as Retention;

export const retentionOf = (config: Config): Retention => toRetention(retentionConfiguration.of(config));

/** The same without the rest of the configuration. Throws a StartFailure with one sentence per wrong value. */
export const readRetention = (environment: Record<string, string | undefined>): Retention =>
  toRetention(readVariables(variables, environment));
