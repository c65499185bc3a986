// The providers that proxy users are given.
import type { Context as SharedContext } from '#platform/context.ts';
import type { PlansProviders } from '../plans/context.ts';

export interface UsersProviders extends PlansProviders {
  /** The URL with which the addresses of users' pages begin. */
  publicUrl: string;
}

export type Context = SharedContext<UsersProviders>;
