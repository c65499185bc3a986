import { FEDERATION } from '#platform/schema-builder.ts';
import { builder } from './builder.ts';
import './graphql/edge.ts';
import './graphql/held-usage.ts';
import './graphql/offer.ts';
import './graphql/proxy-batch.ts';
import './graphql/proxy-line-check.ts';
import './graphql/proxy-pool.ts';
import './graphql/residential-plan.ts';
import './graphql/residential-product.ts';
import './graphql/residential-usage.ts';
import './graphql/support-plans.ts';
import './graphql/usage-report.ts';

export const schema = builder.toSubGraphSchema({ linkUrl: FEDERATION });
