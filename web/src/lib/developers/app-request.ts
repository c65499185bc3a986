// What an app asks for, and the owner's answer: HTTP requests outside of the graph, since the sign-in that waits is known by a cookie of its own.
import type { Failure } from '../failure.ts';
import { ask } from '../session.svelte.ts';
import type { ApiKey } from '../ops/api-key.ts';

export type Scope = ApiKey['scopes'][number];

export interface AppRequest {
  name: string;
  /** Empty: a program on this computer. */
  host: string;
  scopes: readonly Lowercase<Scope>[];
}

const pathOf = (id: string): string => `/oauth/interactions/${encodeURIComponent(id)}`;

export const appRequest = (id: string) => ask<AppRequest>('GET', pathOf(id));

/** Answers the request, and returns to the app. */
export async function answerApp(
  id: string,
  answer: { keyId: string; scopes: readonly Lowercase<Scope>[] } | { refuse: true },
): Promise<Failure | undefined> {
  const { data, failure } = await ask<{ url: string }>('POST', pathOf(id), answer);
  if (data) location.assign(data.url);
  return failure;
}
