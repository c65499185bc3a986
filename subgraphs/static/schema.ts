import { FEDERATION } from '#platform/schema-builder.ts';
import { builder } from './builder.ts';
import './graphql/account.ts';
import './graphql/offer.ts';
import './graphql/plan-settings.ts';
import './graphql/static-plan.ts';
import './graphql/static-product.ts';
import './graphql/static-replacement.ts';
import './graphql/support-inventory.ts';
import './graphql/support-plans.ts';

export const schema = builder.toSubGraphSchema({ linkUrl: FEDERATION });
