import { builder } from '../../builder.ts';
import { StaticInventoryOutcome } from '../../inventory/graphql/support-inventory.ts';
import { exchangeSold } from '../services/exchange-sold.ts';

builder.mutationFields((t) => ({
  supportStaticAddressesExchange: t.field({
    type: StaticInventoryOutcome,
    authScopes: { staff: 'exchange' },
    args: { addresses: t.arg.stringList({ required: true }) },
    resolve: (_root, { addresses }, ctx) => exchangeSold(ctx, addresses),
  }),
}));
