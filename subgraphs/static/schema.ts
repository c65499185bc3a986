import { FEDERATION } from '#shared/schema-builder.ts';
import { builder } from './builder.ts';
import './graphql/account.ts';
import './graphql/static-plan.ts';

export const schema = builder.toSubGraphSchema({ linkUrl: FEDERATION });
