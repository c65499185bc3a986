// `npm start`: starts the platform and prints where everything is.
import { fileURLToPath } from 'node:url';
import { demoConfiguration, readConfig } from './configuration.ts';
import { type Demo, seedDemo } from './demo.ts';
import { type Egress, startAdapterAlone, startEgress, startGatewayAlone } from './egress.ts';
import { edgeConfiguration } from './edge/configuration.ts';
import { carriesTraffic, lineConfiguration, lineWarnings } from './edge/protocol/configuration.ts';
import { lineTestConfiguration } from '#lines/configuration.ts';
import { startBackups, startFollowing, takeByCommand } from '#platform/backup/backup-schedule.ts';
import type { Config } from '#platform/config.ts';
import { environment } from '#platform/environment.ts';
import { createLog } from '#platform/log.ts';
import { type Running, runProcess } from '#platform/run-process.ts';
import { startTracing } from '#platform/tracing.ts';
import { reportFindings } from '#platform/vendor-check.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { type SetUpCode, issueSetUpCode } from './subgraphs/accounts/support/services/set-up.ts';
import { listEdges } from './subgraphs/residential/edges/services/edge-desk.ts';

const print = (text: string) => process.stdout.write(text);

/** Lines of the demo's plans that reach the sandbox's site, requested from the API as a customer would. */
async function tryTraffic({ ownUrl, edge, siteUrl }: Egress, demo: Demo | undefined): Promise<string> {
  if (!edge || !siteUrl || !demo) return '';
  const ask = async (path: string) => {
    const answer = await fetch(`${ownUrl}${path}`, { headers: { Authorization: `Bearer ${demo.apiKey}` } });
    return ((await answer.json()) as { data?: { proxies?: string[]; plans?: { proxies: string[] }[] } }).data;
  };
  const curl = (line: string | undefined, rest: string) => {
    const [host, port, username, password] = line?.split(':') ?? [];
    return host ? `  curl -x http://${username}:${password}@${host}:${port} ${siteUrl}${rest}\n` : '';
  };
  const residential = await ask(`/v1/residential/${demo.planId}/proxies?sticky=false&pool=Germany&quantity=1`);
  const statics = await ask('/v1/static/isp?limit=1');
  return curl(residential?.proxies?.[0], '/bytes/1000000 -o /dev/null') + curl(statics?.plans?.[0]?.proxies[0], '/');
}

interface Shown {
  demo: Demo | undefined;
  /** Undefined once somebody is a member of staff. */
  setUp: SetUpCode | undefined;
  /** Commands to try the proxies with. */
  traffic: string;
}

function page(config: Config, { url, sandbox, edge }: Egress, { demo, setUp, traffic }: Shown): string {
  const { PROXY_HOST, PROXY_HTTP_PORT, PROXY_SOCKS5_PORT } = lineConfiguration.of(config);
  const rows: [string, string][] = [
    ['Dashboard', url],
    ['GraphQL', `${url}/graphql`],
    ['REST', `${url}/v1   (${url}/openapi.json)`],
    ['MCP', `${url}/mcp`],
    ['Health', `${url}/health/ready`],
  ];
  if (setUp) rows.push(['Set up', `${setUp.url}   (code ${setUp.code}, once, until ${setUp.expiresAt.toISOString()})`]);
  const [http, socks5] = edge?.ports ?? [];
  if (edge) rows.push(['Proxies', `${PROXY_HOST}:${http} (HTTP)   ${PROXY_HOST}:${socks5} (SOCKS5)`]);
  else if (carriesTraffic(config))
    rows.push([
      'Proxies',
      `none: port ${PROXY_HTTP_PORT} or ${PROXY_SOCKS5_PORT} is taken, choose others with PROXY_HTTP_PORT and PROXY_SOCKS5_PORT`,
    ]);
  if (sandbox)
    rows.push(
      ['Mail box', sandbox.urls.mail],
      ['Proxy network', sandbox.urls.network],
      ['Crypto', sandbox.urls.crypto],
      ['PayPal', sandbox.urls.paypal],
    );
  if (demo) {
    rows.push(
      ['Customer', `${demo.customer.email}   ${demo.customer.password}`],
      ['Support', `${demo.support.email}   ${demo.support.password}`],
      ...(demo.supportLink === undefined ? [] : [['Second factor', `${demo.supportLink}   (for support, once)`] as [string, string]]),
      ['API key', demo.apiKey],
    );
  }
  const table = rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`).join('\n');
  const example = demo ? `\n  Try it:\n  curl -H 'Authorization: Bearer ${demo.apiKey}' ${url}/v1/residential\n${traffic}` : '';
  const mode = sandbox
    ? '\n  The sandbox plays card and crypto processor, PayPal, mail server and proxy network: no real money, no real mail.\n'
    : '';
  const place = config.DATABASE_URL === undefined ? config.DATA_DIR : 'the database';
  return `\n${commerceConfiguration.of(config).BRAND} is ready.\n\n${table}\n${example}${mode}\n  Ctrl-C stops it; the data stays in ${place}.\n\n`;
}

/** Adds scheduled backups to the platform, and the log's archive between them, when they are configured. */
function withBackups({ BACKUP_EVERY_HOURS: everyHours, BACKUP_LOG_SECONDS: logged }: Config, egress: Egress): Running {
  if (everyHours === undefined) return egress;
  const { clock, log, backup } = egress.platform;
  const command = fileURLToPath(new URL('backup.ts', import.meta.url));
  const closing = (backups: { close(): Promise<void> }): Running => ({
    leave: egress.leave,
    async close() {
      await backups.close();
      await egress.close();
    },
  });
  if (logged !== undefined) return closing(startFollowing(command, log));
  const backups = startBackups({ everyHours, clock, log, last: async () => (await backup())?.takenAt, take: takeByCommand(command) });
  void backups.look();
  return closing(backups);
}

async function start(config: Config): Promise<Running> {
  const service = config.ROLE === 'all' ? 'egress' : `egress-${config.ROLE}`;
  const tracing = startTracing(config, service, createLog(config.LOG_LEVEL));
  const running = await startParts(config);
  return { ...running, close: () => running.close().finally(tracing.close) };
}

async function startParts(config: Config): Promise<Running> {
  if (config.ROLE === 'gateway' || config.ROLE === 'adapter') {
    const part = await (config.ROLE === 'gateway' ? startGatewayAlone(config) : startAdapterAlone(config));
    print(`${config.ROLE} at ${part.url}\n`);
    return part;
  }
  const egress = await startEgress(config);
  const demo = (demoConfiguration.of(config).DEMO ?? egress.sandbox !== undefined) ? await seedDemo(egress, config) : undefined;
  // The examples are a courtesy: without them everything else goes on.
  const traffic = await tryTraffic(egress, demo).catch((error: unknown) => {
    egress.platform.log.warn({ err: error }, 'no line to try could be made');
    return '';
  });
  const setUp = await issueSetUpCode(egress.subgraphs.accounts.systemContext('start'));
  print(page(config, egress, { demo, setUp, traffic }));
  const nodes = await listEdges(egress.subgraphs.residential.systemContext('start'));
  const working = nodes.filter(({ state }) => state !== 'REVOKED').length;
  const testsAskHere =
    lineTestConfiguration.of(config).LINE_TEST_URL === undefined && edgeConfiguration.of(config).EDGE_EXITS_FILE !== undefined;
  for (const warning of lineWarnings(config, working, testsAskHere)) print(`  ! ${warning}\n`);
  for (const { check } of Object.values(egress.subgraphs)) void reportFindings(egress.platform.log, check);
  return withBackups(config, egress);
}

await runProcess({
  start: async () => start(readConfig(environment())),
  stopping: () => print('Stopping.\n'),
});
