// `npm run --silent doctor`: checks whether this machine and the outside systems are set up as the platform needs them; exits with 1 when something is not.
// With `-- --set-up` it first creates the webhooks that vendors' APIs allow to create; a new secret is printed once.
import { parseArgs } from 'node:util';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { checkSelf, lastQuarter, lookAtCertificate } from '#platform/self-check.ts';
import { withSubgraph } from '#platform/command.ts';
import { environment } from '#platform/environment.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { type VendorFinding, findingsOf } from '#platform/vendor-check.ts';
import { lineConfiguration } from './edge/protocol/configuration.ts';
import { SUBGRAPH_DEFINITIONS } from './all-subgraphs.ts';
import { readConfig, composition } from './configuration.ts';
import { lookAtCertificates } from './subgraphs/static/plans/services/look-at-certificates.ts';

const { values } = parseArgs({ options: { 'set-up': { type: 'boolean' } } });
let wrong = 0;
const print = (found: readonly VendorFinding[]) => {
  for (const { vendor, what, ok, words } of found) process.stdout.write(`${ok ? 'ok   ' : 'WRONG'}  ${vendor}  ${what}: ${words}\n`);
  wrong += found.filter(({ ok }) => !ok).length;
};

/** Whether customers can trust the proxies that they speak TLS to. */
async function checkProxies(config: Config, clock: Clock): Promise<VendorFinding[]> {
  const { PROXY_HOST: hostname, PROXY_HTTPS_PORT: port } = lineConfiguration.of(config);
  return port === undefined
    ? []
    : findingsOf('proxies', async () => [await lookAtCertificate({ hostname, port: String(port) }, clock, lastQuarter)]);
}

let isFirst = true;
for (const definition of Object.values(SUBGRAPH_DEFINITIONS) as SubgraphDefinition<unknown>[]) {
  await withSubgraph(definition, composition, async (ctx) => {
    if (isFirst) {
      const config = readConfig(environment());
      print(await checkSelf({ config, em: ctx.em, clock: ctx.clock }));
      print(await checkProxies(config, ctx.clock));
    }
    isFirst = false;
    if (values['set-up']) print((await definition.checks?.(ctx, 'setUp')) ?? []);
    print((await definition.checks?.(ctx, 'check')) ?? []);
  });
  if (process.exitCode) break;
}
if (!process.exitCode) await withSubgraph(SUBGRAPH_DEFINITIONS.static, composition, async (ctx) => print(await lookAtCertificates(ctx)));
if (wrong > 0) process.exitCode = 1;
