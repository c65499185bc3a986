// What every use case of this subgraph is given, and what the outside of it is to them; `providers.ts` makes it. Each noun has a context of its own, which
// extends those of the nouns below it; support's desk has all of it.
import type { Context as SharedContext } from '#platform/context.ts';
import type { SettingState } from '#platform/setting-state.ts';
import type { WebhooksProviders } from './webhooks/context.ts';

export interface AccountsProviders extends WebhooksProviders {
  /** Which variables an operator has set, for the page of the set-up. */
  settings: readonly SettingState[];
  /** Whether a processor of payments does not answer this process. */
  paymentsAway(): Promise<boolean>;
}

export type Context = SharedContext<AccountsProviders>;

declare module './builder.ts' {
  interface ResolverProviders extends AccountsProviders {}
}
