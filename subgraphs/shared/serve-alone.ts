// A subgraph in a process of its own: the same definition, reached by the gateway over HTTP.
import { readConfig } from './config.ts';
import { migrate } from './migrate.ts';
import { type Platform, openPlatform } from './platform.ts';
import { type SubgraphRoute, serveSubgraph } from './serve.ts';
import { type RunningSubgraph, type SubgraphDefinition, startSubgraph } from './subgraph.ts';
import { untilStopped } from './stop-signal.ts';
import { secretsOf } from './secrets.ts';
import { vendorsOf } from './vendors.ts';

/**
 * Runs until the process is told to stop. Needs DATABASE_URL and, to be reached by the gateway, the same SECRET.
 * `routes` are the subgraph's paths beside the graph.
 */
export async function serveAlone<Providers>(
  definition: SubgraphDefinition<Providers>,
  routes: (platform: Platform, subgraph: RunningSubgraph<Providers>) => readonly SubgraphRoute[] = () => [],
): Promise<void> {
  const config = readConfig(process.env);
  if (!config.DATABASE_URL) throw new Error('DATABASE_URL must be set for a subgraph in a process of its own.');
  await migrate(config.DATABASE_URL);
  const platform = await openPlatform(config, config.DATABASE_URL, vendorsOf(config, secretsOf(config)));
  const subgraph = await startSubgraph(platform, definition);
  const served = await serveSubgraph(subgraph, {
    port: config.PORT,
    host: config.HOST,
    secret: platform.secrets.identity,
    clock: platform.clock,
    log: platform.log,
    routes: routes(platform, subgraph),
  });
  process.stdout.write(`${definition.name} at ${served.url}\n`);
  await untilStopped();
  await served.close();
  await subgraph.close();
  await platform.close();
}
