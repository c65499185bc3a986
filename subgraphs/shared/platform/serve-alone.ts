// Runs a subgraph in its own process: the same definition as in the whole platform, reached by the gateway over HTTP.
import { leave } from './leave.ts';
import { type HealthPort, openHealthPort } from './health-port.ts';
import { createReadiness } from './readiness.ts';
import { openConfiguredDatabase } from './configured-database.ts';
import { environment } from './environment.ts';
import type { Composition } from './composition.ts';
import { type Platform, openPlatform } from './platform.ts';
import { type Running, runProcess } from './run-process.ts';
import type { Route } from './route.ts';
import { serveSubgraph } from './serve.ts';
import { StartFailure } from './start-failure.ts';
import { type RunningSubgraph, type SubgraphDefinition, startSubgraph } from './subgraph.ts';
import { secretsOf } from './secrets.ts';
import { createLog } from './log.ts';
import { startTracing } from './tracing.ts';
import { reportFindings } from './vendor-check.ts';

type Routes<Providers, Parts extends object> = (platform: Platform, subgraph: RunningSubgraph<Providers, Parts>) => readonly Route[];

/**
 * Runs until the process is asked to stop. Needs DATABASE_URL and, for the gateway to reach it, the gateway's SECRET. `routes` are further paths beside the
 * graph, served only when the subgraph has its own process.
 */
export const serveAlone = <Providers, Parts extends object>(
  definition: SubgraphDefinition<Providers, Parts>,
  composition: Composition,
  routes: Routes<Providers, Parts> = () => [],
): Promise<never> => runProcess({ start: () => startAlone(definition, composition, routes) });

async function startAlone<Providers, Parts extends object>(
  definition: SubgraphDefinition<Providers, Parts>,
  { readConfig, vendorsOf }: Composition,
  routes: Routes<Providers, Parts>,
): Promise<Running> {
  const config = readConfig(environment());
  if (!config.DATABASE_URL) throw new StartFailure('DATABASE_URL must be set for a subgraph in a process of its own.');
  await using opened = new AsyncDisposableStack();
  opened.defer(startTracing(config, `egress-${definition.name}`, createLog(config.LOG_LEVEL)).close);
  const { url } = await openConfiguredDatabase(config);
  const platform = await openPlatform(config, url, vendorsOf(config, secretsOf(config)));
  opened.defer(platform.close);
  const subgraph = await startSubgraph(platform, definition);
  opened.defer(subgraph.close);
  const readiness = createReadiness(platform.vital, platform.degrading, platform.log);
  const served = await serveSubgraph(subgraph, {
    port: config.PORT,
    host: config.HOST,
    secret: platform.secrets.identity,
    clock: platform.clock,
    log: platform.log,
    routes: [...subgraph.routes, ...routes(platform, subgraph)],
    readiness,
  });
  // First stop taking requests and jobs.
  let health: HealthPort | undefined;
  opened.defer(async () => {
    await Promise.all([served.close(), subgraph.rest()]);
    await health?.close();
  });
  health = await openHealthPort(platform, readiness);
  void reportFindings(platform.log, subgraph.check);
  process.stdout.write(`${definition.name} at ${served.url}\n`);
  const closing = opened.move();
  return {
    leave: () => leave({ readiness, health, delayMs: config.STOP_DELAY_MS }),
    close: () => closing.disposeAsync(),
  };
}
