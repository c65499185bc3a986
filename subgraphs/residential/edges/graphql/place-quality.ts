import { builder } from '../../builder.ts';
import { ResidentialProduct } from '../../plans/graphql/residential-product.ts';
import type { ServedPlace } from '../domain/place-quality.ts';
import { readServedPlaces } from '../services/place-quality.ts';

const ProxyPlaceQuality = builder.objectRef<ServedPlace>('ProxyPlaceQuality').implement({
  fields: (t) => ({
    country: t.exposeString('country'),
    state: t.exposeString('state', { nullable: true }),
    city: t.exposeString('city', { nullable: true }),
    successRate: t.exposeFloat('successRate'),
    firstByteMs: t.exposeInt('firstByteMs', { nullable: true }),
    connections: t.exposeInt('connections'),
  }),
});

builder.objectField(ResidentialProduct, 'placeQualities', (t) =>
  t.field({
    type: [ProxyPlaceQuality],
    authScopes: { account: 'read' },
    resolve: ({ code }, _args, ctx) => readServedPlaces(ctx, code),
  }),
);
