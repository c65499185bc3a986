// Limits of this subgraph that pages need, read from the constants that the rules use.
import { LINE_PROTOCOLS } from '#lines/line-protocol.ts';
import { builder } from '../../builder.ts';
import { MAX_SHARES } from '../../metering/services/explain-usage.ts';
import { DAILY_LIMIT_MIN_BYTES } from '../../plans/domain/daily-limit.ts';
import { LOW_BALANCE_PERCENTS } from '../../plans/domain/low-balance.ts';
import { FORM_LINES_MAX } from '../domain/generation.ts';
import { ProxyProtocol } from './proxy-batch.ts';

const ResidentialRules = builder.objectRef<object>('ResidentialRules').implement({
  fields: (t) => ({
    protocols: t.field({
      type: [ProxyProtocol],
      resolve: (_, __, { providers }) => LINE_PROTOCOLS.filter((one) => providers.proxies[one]),
    }),
    formQuantityMax: t.int({ resolve: () => FORM_LINES_MAX }),
    breakdownRowsMax: t.int({ resolve: () => MAX_SHARES }),
    dailyLimitMinBytes: t.field({ type: 'Bytes', resolve: () => DAILY_LIMIT_MIN_BYTES }),
    requestLogDays: t.int({ resolve: (_, __, { providers }) => providers.retention.requests }),
    lowBalancePercents: t.intList({ resolve: () => LOW_BALANCE_PERCENTS.toReversed() }),
  }),
});

builder.queryField('residentialRules', (t) =>
  t.field({ nullable: true, type: ResidentialRules, authScopes: { anyone: true }, resolve: () => ({}) }),
);
