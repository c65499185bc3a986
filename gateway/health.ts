import type { Log } from '#shared/log.ts';
import { sendJson } from './respond.ts';
import type { Route } from './route.ts';

/** name -> whether that part works; one that throws or takes longer than a second does not. */
export type Checks = Readonly<Record<string, () => boolean | Promise<boolean>>>;

const PATIENCE_MS = 1_000;

/** `/health/live`: the process answers. `/health/ready`: every check passes, else 503 with what does not. */
export function createHealthRoute(checks: Checks, log: Log): Route {
  return {
    name: 'health',
    vital: true,
    matches: (pathname) => pathname === '/health/live' || pathname === '/health/ready',
    async handle(_request, response, { url }) {
      if (url.pathname === '/health/live') return sendJson(response, 200, { status: 'ok' });
      const results = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => [name, await passes(name, check, log)] as const),
      );
      const ready = results.every(([, ok]) => ok);
      sendJson(response, ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', checks: Object.fromEntries(results) });
    },
  };
}

async function passes(name: string, check: Checks[string], log: Log): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), PATIENCE_MS);
    });
    return await Promise.race([check(), late]);
  } catch (error) {
    log.warn({ check: name, err: error }, 'a readiness check failed');
    return false;
  } finally {
    clearTimeout(timer);
  }
}
