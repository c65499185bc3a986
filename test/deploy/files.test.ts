// The deployment files: each variable in them is read by a process, each port and path is served, and each program exists.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig, variables } from '../../configuration.ts';
import { NODE_VARIABLES, readNodeSettings } from '../../edge/node-configuration.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { productionFiles } from '../../scripts/production-files.mjs';

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const OF_PLATFORM = Object.keys(variables());
const OF_NODE = Object.keys(NODE_VARIABLES);
/** Variables that Node itself and its libraries read. */
const OF_RUNTIME = ['PATH', 'SSL_CERT_FILE', 'NODE_OPTIONS', 'NODE_USE_SYSTEM_CA', 'APOLLO_TELEMETRY_DISABLED'];
const unknown = (names: Iterable<string>, known: readonly string[]) => [...names].filter((name) => !known.includes(name));

/** The example file, and the values that an operator fills in. */
const example = read('deploy/egress.env.example');
const FILLED = {
  SECRET: 'x'.repeat(64),
  SELLER_NAME: 'Shop Ltd',
  SELLER_COUNTRY: 'DE',
  SELLER_TAX_ID: 'DE123456789',
  SMTP_URL: 'smtps://shop:x@mail.example.com:465',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRETS: 'whsec_x',
};
type Environment = Record<string, string | undefined>;
const platformOf = (environment: Environment) =>
  readConfig({ NODE_ENV: 'production', DATA_DIR: '/data', HOST: '0.0.0.0', ...parseEnv(example), ...FILLED, ...environment });
const KEY = { EDGE_KEY: `egress_edge_${'x'.repeat(40)}` };

interface Service {
  environment?: Record<string, string>;
  command?: string[];
  ports?: string[];
  healthcheck: { test: string[] };
  [field: string]: unknown;
}
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: object;
  networks: object;
};
/** Names in `${NAME:-default}` and `${NAME:?sentence}`. */
const interpolated = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
const filledIn = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+)(?::[-?][^}]*)?\}/g, (_, asked: string) => ({ PUBLIC_HOST: 'shop.example.com', ...KEY })[asked] ?? ''),
    ]),
  );

describe('compose.yaml', () => {
  const { platform, edge, caddy, ...others } = compose.services;

  test('names variables that are read, and gives the platform and a node all that they need', () => {
    const known = [...OF_PLATFORM, ...interpolated];
    expect(unknown(Object.keys(parseEnv(example.replaceAll(/^#([A-Z_]+=)/gm, '$1'))), known)).toEqual([]);
    expect(unknown(interpolated, Object.keys(parseEnv(example.replaceAll(/^#([A-Z_]+=)/gm, '$1'))))).toEqual([]);
    expect(unknown(Object.keys(platform?.environment ?? {}), OF_PLATFORM)).toEqual([]);
    expect(unknown(Object.keys(edge?.environment ?? {}), OF_NODE)).toEqual([]);
    const config = platformOf(filledIn(platform?.environment ?? {}));
    expect(config).toMatchObject({
      PUBLIC_URL: 'https://shop.example.com',
      PORT: 4000,
      HEALTH_PORT: 4009,
      TRUST_PROXY_HOPS: 1,
      SANDBOX: false,
    });
    const node = readNodeSettings(filledIn(edge?.environment ?? {}));
    expect(platform?.ports).toEqual([`127.0.0.1:${new URL(node.PLATFORM_URL).port}:${config.PORT}`]);
    // Both have a readiness check, on different ports.
    expect(node.HEALTH_PORT).toBe((node.EDGE_LISTEN[0]?.port ?? 0) + 9);
    expect(edge?.healthcheck.test.at(-1)).toBe('/health/ready');
    expect(platform?.healthcheck.test.at(-1)).toBe('/health/ready');
    expect(read('deploy/Caddyfile')).toContain(`{$PLATFORM_ADDRESS:platform:${config.PORT}}`);
    expect(read('deploy/Caddyfile')).toContain(`http://127.0.0.1:2020 {`);
    expect(caddy?.healthcheck.test.at(-1)).toBe('http://127.0.0.1:2020/');
  });

  test('confines every service, limits its memory and has a health check', () => {
    for (const [name, service] of Object.entries({ platform, edge, caddy, ...others }))
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: 'unless-stopped',
        mem_limit: expect.stringMatching(/^\d+[mg]$/) as string,
        healthcheck: { test: expect.arrayContaining(['CMD']) as string[] },
      });
    expect(Object.keys(others)).toEqual(['postgres', 'redis']);
    // The names of volumes, without mounted files.
    const volumes = Object.values(compose.services).flatMap(({ volumes: own }) =>
      ((own ?? []) as string[]).map((mount) => mount.split(':')[0] ?? ''),
    );
    expect(
      unknown(
        volumes.filter((name) => !name.startsWith('./')),
        Object.keys(compose.volumes),
      ),
    ).toEqual([]);
  });

  test('the image has what its modules load when they need it', () => {
    const { files, packages } = productionFiles(root);
    const modules = files.filter((file) => file.endsWith('.ts'));
    const later = modules.flatMap((file) =>
      [...read(file).matchAll(/=> import\('([^']+)'\)|await import\('([^']+)'\)/g)].map(
        ([, first, second]) => [file, first ?? second ?? ''] as const,
      ),
    );
    expect(later.length).toBeGreaterThan(SUBGRAPHS.length);
    const lacking = later.filter(([file, name]) =>
      name.startsWith('.') ? !files.includes(join(dirname(file), name)) : !packages.includes(`node_modules/${name}`),
    );
    // Production refuses the sandbox.
    expect(lacking.filter(([, name]) => !name.startsWith('./sandbox/'))).toEqual([]);
  });

  test('starts programs that the image has', () => {
    const { programs, files } = productionFiles(root);
    expect(programs).toContain(edge?.command?.[0]);
    const instructions = read('deploy/image/Containerfile');
    expect(programs).toContain(/^CMD \["(.+)"\]$/m.exec(instructions)?.[1]);
    const set = [...instructions.matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name);
    expect(unknown(set, [...OF_PLATFORM, ...OF_RUNTIME])).toEqual([]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = Object.values(scripts).flatMap(
      (script) => /^node (?:--\S+ )*((?!test|web|schema|rest-adapter\/print-client)[\w/-]+\.ts)$/.exec(script)?.[1] ?? [],
    );
    expect(unknown(commands, programs), 'commands of an operator that the image lacks').toEqual([]);
    expect(files.filter((file) => /^(?:test|sandbox|scripts|web)\b/.test(file))).toEqual(['sandbox/configuration.ts', 'web/build']);
  });
});

describe('systemd', () => {
  const units = readdirSync(join(root, 'deploy/systemd'));
  const environmentOf = (unit: string): Record<string, string> =>
    Object.fromEntries(
      [...read(`deploy/systemd/${unit}`).matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) =>
        line.split(' ').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const),
      ),
    );

  test('units name variables that are read, and programs that exist', () => {
    expect(units).toEqual(['egress-edge.service', 'egress.service']);
    const { APOLLO_TELEMETRY_DISABLED: _, NODE_OPTIONS: flags, ...ofPlatform } = environmentOf('egress.service');
    expect(read('package.json')).toContain(`node ${flags} main.ts`);
    expect(read('deploy/image/Containerfile')).toContain(`NODE_OPTIONS=${flags}\n`);
    expect(unknown(Object.keys(ofPlatform), OF_PLATFORM)).toEqual([]);
    const asUnit = parseEnv(example.replaceAll(/^#(PUBLIC_URL|DATABASE_URL|REDIS_URL|TRUST_PROXY_HOPS)=/gm, '$1='));
    expect(platformOf({ ...ofPlatform, ...asUnit, ...FILLED })).toMatchObject({ HOST: '127.0.0.1', PORT: 4000, HEALTH_PORT: 4009 });
    const ofNode = environmentOf('egress-edge.service');
    expect(unknown(Object.keys(ofNode), OF_NODE)).toEqual([]);
    expect(readNodeSettings({ PLATFORM_URL: 'https://shop.example.com', ...KEY, ...ofNode }).EDGE_DRAIN_MINUTES).toBe(1);
    for (const unit of units) {
      const [, program = ''] = /^ExecStart=\/opt\/egress\/node_modules\/\.bin\/node (\S+)$/m.exec(read(`deploy/systemd/${unit}`)) ?? [];
      expect(existsSync(join(root, program)), program).toBe(true);
    }
  });

  const isInstalled = !spawnSync('systemd-analyze', ['--version']).error;
  // Debian: systemd. The exposure is from 0 to 10, where 10 is a service that may do everything.
  test.skipIf(!isInstalled).each(units)('systemd itself understands %s, and finds it exposed by 1.5 at most', (unit) => {
    const folder = mkdtempSync(join(tmpdir(), 'egress-units-'));
    try {
      // systemd-analyze checks that the program exists.
      const file = join(folder, unit);
      writeFileSync(file, read(`deploy/systemd/${unit}`).replaceAll('/opt/egress/', root));
      const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
      expect(verified.stderr).toBe('');
      expect(verified.status).toBe(0);
      const exposure = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', '--threshold=15', file], {
        encoding: 'utf8',
      });
      expect(Number(/Overall exposure level for .*: ([\d.]+)/.exec(exposure)?.[1])).toBeLessThanOrEqual(1.5);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

interface Probe {
  httpGet?: { path: string; port: string };
  exec?: { command: string[] };
}
interface Pod {
  securityContext: object;
  volumes: { name: string; configMap?: { name: string } }[];
  containers: {
    args?: string[];
    env?: { name: string; value?: string }[];
    envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
    ports: { name: string; containerPort: number }[];
    volumeMounts: { name: string }[];
    resources: { limits: { memory: string } };
    securityContext: object;
    [probe: string]: unknown;
  }[];
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    selector: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: Pod };
    volumeClaimTemplates?: { metadata: { name: string } }[];
    [field: string]: unknown;
  };
}

describe('kubernetes', () => {
  const manifests = readdirSync(join(root, 'deploy/kubernetes')).flatMap((file) =>
    parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Manifest;
    }),
  );
  const find = (kind: string, name: string): Manifest => {
    const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
    if (!found) throw new Error(`there is no ${kind} ${name}`);
    return found;
  };
  const podOf = (kind: string, name: string): Pod => find(kind, name).spec.template.spec;

  test('the platform and a node get variables that they read, and all that they need', () => {
    const [platform] = podOf('Deployment', 'egress').containers;
    const given: Environment = {};
    for (const { configMapRef, secretRef } of platform?.envFrom ?? [])
      Object.assign(
        given,
        configMapRef && find('ConfigMap', configMapRef.name).data,
        secretRef && find('Secret', secretRef.name).stringData,
      );
    expect(unknown(Object.keys(given), OF_PLATFORM)).toEqual([]);
    const config = readConfig({ NODE_ENV: 'production', ...given, ...FILLED });
    expect(platform?.ports).toEqual([
      { name: 'http', containerPort: config.PORT },
      { name: 'health', containerPort: config.HEALTH_PORT },
    ]);
    const [node] = podOf('StatefulSet', 'fra-1').containers;
    expect(
      unknown(
        (node?.env ?? []).map(({ name }) => name),
        OF_NODE,
      ),
    ).toEqual([]);
    const settings = readNodeSettings({ ...Object.fromEntries((node?.env ?? []).map(({ name, value }) => [name, value])), ...KEY });
    expect(node?.ports.map(({ containerPort }) => containerPort)).toEqual(settings.EDGE_LISTEN.map(({ port }) => port));
    expect(productionFiles(root).programs).toContain(node?.args?.[0]);
    expect(settings.HEALTH_PORT).toBe((settings.EDGE_LISTEN[0]?.port ?? 0) + 9);
    for (const [probe, words] of Object.entries({ livenessProbe: [], readinessProbe: ['/health/ready'] }))
      expect((node?.[probe] as Probe | undefined)?.exec?.command).toEqual(['/usr/bin/node', 'health.mjs', ...words]);
    expect(Object.keys(find('ConfigMap', 'fra-1').data ?? {})).toEqual(['exits.json']);
  });

  test('probes use existing paths and ports, and everything that is named exists', () => {
    const [platform] = podOf('Deployment', 'egress').containers;
    const thread = read('subgraphs/shared/platform/health-thread.ts');
    for (const [probe, path] of Object.entries({
      startupProbe: '/health/live',
      livenessProbe: '/health/live',
      readinessProbe: '/health/ready',
    })) {
      expect((platform?.[probe] as Probe | undefined)?.httpGet).toEqual({ path, port: 'health' });
      expect(thread).toContain(`'${path}': (response) =>`);
    }
    for (const [kind, name] of [
      ['Deployment', 'egress'],
      ['StatefulSet', 'fra-1'],
    ] as const) {
      const { selector, template, volumeClaimTemplates = [] } = find(kind, name).spec;
      expect(template.metadata.labels).toEqual(selector.matchLabels);
      const volumes = [...template.spec.volumes, ...volumeClaimTemplates.map(({ metadata }) => metadata)].map((volume) => volume.name);
      for (const container of template.spec.containers) {
        expect(
          unknown(
            container.volumeMounts.map((mount) => mount.name),
            volumes,
          ),
        ).toEqual([]);
        expect(container.resources.limits.memory).toMatch(/^\d+[MG]i$/);
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
      expect(template.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10_001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
    }
    const labels = find('Deployment', 'egress').spec.selector.matchLabels;
    expect(find('PodDisruptionBudget', 'egress').spec.selector.matchLabels).toEqual(labels);
    expect(find('NetworkPolicy', 'egress').spec['podSelector']).toEqual({ matchLabels: labels });
    expect(find('Service', 'egress').spec.selector).toEqual(labels);
  });
});
