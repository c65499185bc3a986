// What tests of lines tell in the graph: types that all sellers of lines declare alike, or the graph does not compose.
import type { Context } from '#platform/context.ts';
import type { createBuilder } from '#platform/schema-builder.ts';
import { PLACE_SOURCES, type SeenExit, type ToldFault } from './line-test.ts';

/** Declares the types of a test's parts in the builder's subgraph. Call it once per builder. */
export function declareLineTestParts<Ctx extends Context>(builder: ReturnType<typeof createBuilder<Ctx>>) {
  const ProxyExitPlaceSource = builder.enumType('ProxyExitPlaceSource', { values: PLACE_SOURCES });
  const ProxyExitSeen = builder.objectRef<SeenExit>('ProxyExitSeen').implement({
    shareable: true,
    fields: (t) => ({
      address: t.exposeString('address'),
      country: t.exposeString('country', { nullable: true }),
      state: t.exposeString('state', { nullable: true }),
      city: t.exposeString('city', { nullable: true }),
      asn: t.exposeFloat('asn', { nullable: true }),
      carrier: t.exposeString('carrier', { nullable: true }),
    }),
  });
  const ProxyLineFault = builder.objectRef<ToldFault>('ProxyLineFault').implement({
    shareable: true,
    fields: (t) => ({
      code: t.exposeString('code'),
      message: t.exposeString('message'),
      hint: t.exposeString('hint', { nullable: true }),
      params: t.expose('params', { type: 'Params' }),
    }),
  });
  return { ProxyExitPlaceSource, ProxyExitSeen, ProxyLineFault };
}
