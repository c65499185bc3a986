// A ticket, and the WebSocket that it is good for.
import { mutate } from '#lib/live.svelte.ts';
import type { Failure } from '#lib/failure.ts';
import { DedicatedOpenConsole } from '#lib/ops/dedicated.ts';
import { VpsOpenConsole } from '#lib/ops/vps.ts';

async function open(id: string, kind: ConsoleKind): Promise<{ path: string; failure?: undefined } | { failure: Failure }> {
  if (id.startsWith('ded_')) {
    const { data, failure } = await mutate(DedicatedOpenConsole, { id, kind });
    return failure ? { failure } : { path: data.dedicatedServerOpenConsole.path };
  }
  const { data, failure } = await mutate(VpsOpenConsole, { id, kind });
  return failure ? { failure } : { path: data.vpsOpenConsole.path };
}

export type ConsoleKind = 'TEXT' | 'GRAPHIC';

export async function consoleUrl(
  id: string,
  kind: ConsoleKind,
): Promise<{ url: string; failure?: undefined } | { url?: undefined; failure: Failure }> {
  const opened = await open(id, kind);
  if (opened.failure) return { failure: opened.failure };
  const url = new URL(opened.path, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  return { url: url.href };
}
