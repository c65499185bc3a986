// `npm start`: starts the platform and prints where everything is.
import { type Demo, seedDemo } from './demo.ts';
import { type Egress, startAdapterAlone, startEgress, startGatewayAlone } from './egress.ts';
import { type Config, readConfig } from './subgraphs/shared/config.ts';
import { carriesTraffic } from './subgraphs/shared/vendors.ts';
import { untilStopped } from './subgraphs/shared/stop-signal.ts';

const print = (text: string) => process.stdout.write(text);

/** Lines of the demo's plans, through which the sandbox's site can be reached; asked for as any customer would. */
async function tryTraffic({ url, edge, siteUrl }: Egress, demo: Demo | undefined): Promise<string> {
  if (!edge || !siteUrl || !demo) return '';
  const ask = async (path: string) => {
    const answer = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${demo.apiKey}` } });
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

function page(config: Config, { url, sandbox, edge }: Egress, demo: Demo | undefined, traffic: string): string {
  const rows: [string, string][] = [
    ['Dashboard', url],
    ['GraphQL', `${url}/graphql`],
    ['REST', `${url}/v1   (${url}/openapi.json)`],
    ['MCP', `${url}/mcp`],
    ['Health', `${url}/health/ready`],
  ];
  const [http, socks5] = edge?.ports ?? [];
  if (edge) rows.push(['Proxies', `${config.PROXY_HOST}:${http} (HTTP)   ${config.PROXY_HOST}:${socks5} (SOCKS5)`]);
  else if (carriesTraffic(config))
    rows.push([
      'Proxies',
      `none: port ${config.PROXY_HTTP_PORT} or ${config.PROXY_SOCKS5_PORT} is taken, choose others with PROXY_HTTP_PORT and PROXY_SOCKS5_PORT`,
    ]);
  if (sandbox) rows.push(['Mail box', sandbox.urls.mail], ['Proxy network', sandbox.urls.network], ['Crypto', sandbox.urls.crypto]);
  if (demo) {
    rows.push(
      ['Customer', `${demo.customer.email}   ${demo.customer.password}`],
      ['Support', `${demo.support.email}   ${demo.support.password}`],
      ['API key', demo.apiKey],
    );
  }
  const table = rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`).join('\n');
  const example = demo ? `\n  Try it:\n  curl -H 'Authorization: Bearer ${demo.apiKey}' ${url}/v1/residential\n${traffic}` : '';
  const mode = sandbox
    ? '\n  The sandbox plays card and crypto processor, mail server and proxy network: no real money, no real mail.\n'
    : '';
  return `\n${config.BRAND} is ready.\n\n${table}\n${example}${mode}\n  Ctrl-C stops it; the data stays in ${config.DATA_DIR}.\n\n`;
}

async function start(config: Config): Promise<{ close(): Promise<void> }> {
  if (config.ROLE === 'gateway' || config.ROLE === 'adapter') {
    const part = await (config.ROLE === 'gateway' ? startGatewayAlone(config) : startAdapterAlone(config));
    print(`${config.ROLE} at ${part.url}\n`);
    return part;
  }
  const egress = await startEgress(config);
  const demo = (config.DEMO ?? egress.sandbox !== undefined) ? await seedDemo(egress, config) : undefined;
  print(page(config, egress, demo, await tryTraffic(egress, demo)));
  return egress;
}

const stopped = untilStopped();
try {
  const running = await start(readConfig(process.env));
  await stopped;
  print('Stopping.\n');
  await running.close();
} catch (error) {
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') print(`Port ${port} is taken: choose another with PORT=..., for example PORT=4040 npm start.\n`);
  else
    process.stderr.write(
      `${error instanceof Error && error.message.startsWith('The configuration') ? error.message : ((error as Error).stack ?? String(error))}\n`,
    );
  process.exitCode = 1;
}
