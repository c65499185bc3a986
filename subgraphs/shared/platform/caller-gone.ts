import type { ServerResponse } from 'node:http';

/** Aborts when the client goes away before its answer is sent. After a whole answer it stays quiet: an abort makes an error with a stack each time. */
export function callerGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
