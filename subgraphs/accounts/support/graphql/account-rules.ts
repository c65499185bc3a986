// The numbers in the rules of this subgraph's nouns, read from where each rule is defined.
import { MINUTE } from '#platform/clock.ts';
import { OFFER_VALID_MS } from '#commerce/offers.ts';
import { builder } from '../../builder.ts';
import { PASSWORD_LENGTH } from '../../identity/domain/password.ts';
import { MAX_OVERLAP_HOURS } from '../../keys/services/issue-api-key.ts';

const AccountRules = builder.objectRef<object>('AccountRules').implement({
  fields: (t) => ({
    passwordLengthMin: t.int({ resolve: () => PASSWORD_LENGTH.min }),
    passwordLengthMax: t.int({ resolve: () => PASSWORD_LENGTH.max }),
    keyOverlapHoursMax: t.int({ resolve: () => MAX_OVERLAP_HOURS }),
    offerMinutes: t.int({ resolve: () => OFFER_VALID_MS / MINUTE }),
    staffActsDays: t.int({ resolve: (_, __, { providers }) => providers.retention.staffActs }),
  }),
});

builder.queryField('accountRules', (t) =>
  t.field({ nullable: true, type: AccountRules, authScopes: { anyone: true }, resolve: () => ({}) }),
);
