// The providers that the request log is given.
import type { Context as SharedContext } from '#platform/context.ts';
import type { NetworksProviders } from '../networks/context.ts';
import type { RequestNews } from './providers/request-news.ts';

export interface RequestsProviders extends NetworksProviders {
  requestNews: RequestNews;
}

export type Context = SharedContext<RequestsProviders>;
