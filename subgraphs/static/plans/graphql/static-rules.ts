// Limits of this subgraph that pages need, read from the constants that the rules use.
import { MINUTE } from '#platform/clock.ts';
import { builder } from '../../builder.ts';
import { CHECK_EVERY_MS, FAILURES_OF_AN_OUTAGE, SLA_BASIS_POINTS } from '../../health/domain/health.ts';
import { PASSWORD_LENGTH, USERNAME_LENGTH } from '../domain/plan-credentials.ts';

const StaticRules = builder.objectRef<object>('StaticRules').implement({
  fields: (t) => ({
    usernameLengthMin: t.int({ resolve: () => USERNAME_LENGTH.min }),
    usernameLengthMax: t.int({ resolve: () => USERNAME_LENGTH.max }),
    passwordLengthMin: t.int({ resolve: () => PASSWORD_LENGTH.min }),
    passwordLengthMax: t.int({ resolve: () => PASSWORD_LENGTH.max }),
    checkEveryMinutes: t.int({ resolve: () => CHECK_EVERY_MS / MINUTE }),
    outageFailures: t.int({ resolve: () => FAILURES_OF_AN_OUTAGE }),
    downtimeBasisPoints: t.int({ resolve: () => 10_000 - SLA_BASIS_POINTS }),
  }),
});

builder.queryField('staticRules', (t) => t.field({ nullable: true, type: StaticRules, authScopes: { anyone: true }, resolve: () => ({}) }));
