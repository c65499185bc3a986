// Nodes with the real ledger: residential on a test database, reached within the process and over HTTP.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toFailure } from '#platform/errors.ts';
import { silentLog } from '#platform/log.ts';
import type { Plan } from '../../subgraphs/residential/plans/domain/plan.ts';
import { createPlansControl } from '../../subgraphs/residential/edge-control.ts';
import { localControlPlane } from '../../edge/local-control-plane.ts';
import { createEdgePasses } from '../../edge/protocol/passes.ts';
import { createEdgeRoutes } from '../../edge/protocol/routes.ts';
import { type Edge, startEdge } from '../../edge/edge.ts';
import type { EdgeOptions } from '../../edge/edge-options.ts';
import type { Endpoint } from '../../edge/target-guard.ts';
import { remoteControlPlane } from '../../edge/remote-control-plane.ts';
import { enrolEdge, enrolOwnEdge } from '../../subgraphs/residential/edges/services/edges.ts';
import { usedBytes } from '../../subgraphs/residential/plans/domain/plan.ts';
import { unseal } from '#platform/sealing.ts';
import { startSubgraph } from '#platform/subgraph.ts';
import { createStaticPlansControl } from '../../subgraphs/static/edge-control.ts';
import { staticProxies } from '../../subgraphs/static/subgraph.ts';
import { startResidential } from '../subgraphs/residential/world.ts';
import { type Client, type Target, connectHead, localExit, openClient, startTarget } from './world.ts';
import { rowsOf } from '../kit/tables.ts';

/** Sends endlessly after its first input, and counts the received bytes. */
export async function startSource(): Promise<Target & { received(): number }> {
  let received = 0;
  const target = await startTarget((socket) => {
    const chunk = Buffer.alloc(65_536, 1);
    const pour = () => {
      while (!socket.destroyed && socket.writable && socket.write(chunk));
    };
    socket.on('data', (bytes) => (received += bytes.length));
    socket.on('drain', pour);
    socket.once('data', pour);
  });
  return { ...target, received: () => received };
}

/** `environment`: the platform's. */
export async function startPlatformWorld(environment?: Record<string, string>) {
  const residential = await startResidential(environment);
  const { platform } = residential;
  const statics = await startSubgraph(platform, staticProxies);
  const { notifications } = platform;
  const control = {
    plans: createPlansControl({ context: residential.context, notifications }),
    staticPlans: createStaticPlansControl({ context: () => statics.systemContext('test'), notifications }),
  };
  const routes = createEdgeRoutes({ ...control, passes: createEdgePasses(platform.secrets.edges, residential.clock) });
  const directory = mkdtempSync(join(tmpdir(), 'egress-edges-'));
  const source = await startSource();
  const edges: Edge[] = [];
  const children = new Set<ChildProcess>();
  const clients = new Set<Client>();
  let server: Server;
  let port = 0;

  const listen = () =>
    new Promise<void>((done) => {
      server = createServer((request, response) => {
        const url = new URL(request.url ?? '/', 'http://platform');
        const route = routes.find(({ matches }) => matches(url.pathname));
        if (!route) return void response.writeHead(404).end();
        const call = { requestId: 'req_platform', address: '127.0.0.1', url, started: 0, logFields: {} };
        Promise.resolve(route.handle(request, response, call)).catch((error: unknown) => {
          const failure = toFailure(error);
          if (!response.headersSent) response.writeHead(failure.status).end(failure.code);
        });
      });
      server.listen(port, '127.0.0.1', () => {
        port = (server.address() as AddressInfo).port;
        done();
      });
    });
  const hangUp = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  await listen();

  const start = async (more: Pick<EdgeOptions, 'controlPlane'> & Partial<EdgeOptions>): Promise<Edge> => {
    const edge = await startEdge({
      exits: [localExit(11), localExit(12)],
      listen: [{ address: '127.0.0.1', port: 0 }],
      log: silentLog,
      demoTarget: source.endpoint,
      ...more,
    });
    edges.push(edge);
    return edge;
  };
  const url = () => `http://127.0.0.1:${port}`;
  const passwordOf = (plan: Plan): string => unseal(plan.passwordSealed, residential.platform.secrets.sealing, plan.id);
  const used = async (plan: Plan): Promise<bigint> => usedBytes(await residential.planNow(plan.id));
  return {
    residential,
    statics,
    source,
    url,
    listen,
    hangUp,
    async localEdge(id: string, more: Partial<EdgeOptions> = {}) {
      await enrolOwnEdge(residential.context(), id);
      return start({ controlPlane: localControlPlane(control, id), ...more });
    },
    remoteEdge: async (id: string, more: Partial<EdgeOptions> = {}) =>
      start({ controlPlane: remoteControlPlane({ url: url(), key: await enrolEdge(residential.context(), id), log: silentLog }), ...more }),
    /** A node in a child process that can be killed. */
    async childEdge(
      key: string,
      journal: string,
      over: { url?: string; demoTarget?: Endpoint } = {},
    ): Promise<{ port: number; kill(signal: NodeJS.Signals): Promise<void>; stepClock(): void }> {
      const given = { url: url(), key, journalFile: join(directory, journal), demoTarget: source.endpoint, ...over };
      const child = spawn(process.execPath, [new URL('child-edge.ts', import.meta.url).pathname, JSON.stringify(given)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.add(child);
      const line = await new Promise<string>((resolve, reject) => {
        child.stdout?.once('data', (bytes: Buffer) => resolve(bytes.toString()));
        child.once('exit', () => reject(new Error('the node did not start')));
      });
      return {
        port: Number(line),
        stepClock: () => void child.kill('SIGUSR2'),
        kill: (signal) =>
          new Promise((done) => {
            child.once('exit', () => {
              children.delete(child);
              done();
            });
            child.kill(signal);
          }),
      };
    },
    async tunnel(edgePort: number, plan: Plan, password = passwordOf(plan)): Promise<Client> {
      const client = await openClient(edgePort);
      clients.add(client);
      client.write(connectHead(`${source.endpoint.address}:${source.endpoint.port}`, `${plan.username}-country-any`, password));
      client.skip((await client.until('\r\n\r\n')).indexOf('\r\n\r\n') + 4);
      return client;
    },
    passwordOf,
    used,
    /** The sums of plan, days, ledger and leases, which must be equal. */
    sums: (plan: Plan): Promise<bigint[]> => residential.tables.sumsOf(plan.id),
    async openLeases(plan: Plan): Promise<number> {
      return (await rowsOf(residential.query, 'residential.lease', { plan_id: plan.id, open: true })).length;
    },
    async close() {
      for (const client of clients) client.socket.destroy();
      for (const child of children) child.kill('SIGKILL');
      for (const edge of edges) await edge.close();
      await hangUp();
      await source.close();
      await statics.close();
      await residential.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type PlatformWorld = Awaited<ReturnType<typeof startPlatformWorld>>;
