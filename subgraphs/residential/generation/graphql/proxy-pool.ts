import { builder } from '../../builder.ts';
import { type City, citiesOf } from '../../../../edge/protocol/cities.ts';
import { POOLS, type Pool } from '../../../../edge/protocol/pools.ts';
import { type State, statesOf } from '../../../../edge/protocol/states.ts';

const ProxyPoolKind = builder.enumType('ProxyPoolKind', { values: ['WORLDWIDE', 'REGION', 'COUNTRY'] as const });

const ProxyCity = builder
  .objectRef<City>('ProxyCity')
  .implement({ fields: (t) => ({ code: t.exposeString('code'), name: t.exposeString('name') }) });

const ProxyState = builder.objectRef<State>('ProxyState').implement({
  fields: (t) => ({
    code: t.exposeString('code'),
    name: t.exposeString('name'),
    cities: t.field({ type: [ProxyCity], resolve: ({ iso }) => [...citiesOf(iso.slice(0, 2).toLowerCase(), iso)] }),
  }),
});

const ProxyPool = builder.objectRef<Pool>('ProxyPool').implement({
  fields: (t) => ({
    code: t.exposeString('code'),
    name: t.exposeString('name'),
    kind: t.expose('kind', { type: ProxyPoolKind }),
    states: t.field({ type: [ProxyState], resolve: ({ code }) => [...statesOf(code)] }),
  }),
});

builder.queryField('proxyPools', (t) =>
  t.field({ nullable: true, type: [ProxyPool], authScopes: { account: 'read' }, resolve: () => [...POOLS] }),
);
