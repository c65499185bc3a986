// The context of every use case of this subgraph, with the providers that stand for everything outside it; `providers.ts` creates them. Each noun has a context
// of its own, which extends the contexts of the nouns below it; the nouns that stand above all others, such as support's desk, use this one.
import type { Context as SharedContext } from '#platform/context.ts';
import type { SettingState } from '#platform/setting-state.ts';
import type { PushProviders } from './push/context.ts';

export interface AccountsProviders extends PushProviders {
  /** The variables that an operator should set, and whether each is set; the set-up page shows them. */
  settings: readonly SettingState[];
  /** Whether any payment processor is not answering this process. */
  paymentsAway(): Promise<boolean>;
}

export type Context = SharedContext<AccountsProviders>;

declare module './builder.ts' {
  interface ResolverProviders extends AccountsProviders {}
}
