import { FEDERATION } from '#shared/schema-builder.ts';
import { builder } from './builder.ts';
import './graphql/account.ts';
import './graphql/dedicated-plan.ts';
import './graphql/dedicated-server.ts';
import './graphql/offer.ts';
import './graphql/operating-system.ts';
import './graphql/operation.ts';
import './graphql/server.ts';
import './graphql/server-price.ts';
import './graphql/vps.ts';
import './graphql/vps-plan.ts';

export const schema = builder.toSubGraphSchema({ linkUrl: FEDERATION });
