import { FEDERATION } from '#platform/schema-builder.ts';
import { builder } from './builder.ts';
import './plans/graphql/account.ts';
import './plans/graphql/offer.ts';
import './plans/graphql/plan-settings.ts';
import './plans/graphql/static-plan.ts';
import './products/graphql/static-product.ts';
import './delivery/graphql/static-replacement.ts';
import './delivery/graphql/support-exchange.ts';
import './inventory/graphql/stock.ts';
import './inventory/graphql/support-inventory.ts';
import './plans/graphql/support-plans.ts';

export const schema = builder.toSubGraphSchema({ linkUrl: FEDERATION });
