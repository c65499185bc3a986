import { FEDERATION } from '#platform/schema-builder.ts';
import { builder } from './builder.ts';
import './leases/graphql/edge.ts';
import './metering/graphql/held-usage.ts';
import './plans/graphql/offer.ts';
import './generation/graphql/proxy-batch.ts';
import './generation/graphql/proxy-line-check.ts';
import './generation/graphql/proxy-pool.ts';
import './plans/graphql/residential-plan.ts';
import './plans/graphql/residential-product.ts';
import './metering/graphql/plan-usage.ts';
import './metering/graphql/residential-usage.ts';
import './plans/graphql/support-plans.ts';
import './metering/graphql/usage-report.ts';

export const schema = builder.toSubGraphSchema({ linkUrl: FEDERATION });
