import { FEDERATION } from '#platform/schema-builder.ts';
import { leavingTrails } from '#platform/staff-trail.ts';
import { builder } from './builder.ts';
import './plans/graphql/account.ts';
import './plans/graphql/offer.ts';
import './plans/graphql/own-data.ts';
import './plans/graphql/plan-settings.ts';
import './plans/graphql/static-plan.ts';
import './plans/graphql/static-rules.ts';
import './products/graphql/static-product.ts';
import './products/graphql/support-catalogue.ts';
import './delivery/graphql/static-replacement.ts';
import './delivery/graphql/support-exchange.ts';
import './health/graphql/static-state.ts';
import './inventory/graphql/stock.ts';
import './inventory/graphql/support-inventory.ts';
import './plans/graphql/support-plans.ts';

export const schema = leavingTrails(builder.toSubGraphSchema({ linkUrl: FEDERATION }));
