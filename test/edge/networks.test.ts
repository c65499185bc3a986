// An IPv6 network that is routed to the machine, in a network namespace: a local route and permission to bind non-local addresses make every address of it
// usable, as docs/exits.md tells operators.
import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const IN_NAMESPACE = ['unshare', '--user', '--map-root-user', '--net'];
const canUnshare = spawnSync(IN_NAMESPACE[0] as string, [...IN_NAMESPACE.slice(1), 'ip', 'link', 'set', 'lo', 'up']).status === 0;

const SCRIPT = `
import { createServer } from 'node:net';
import { createDialler } from './edge/dial.ts';
import { createExit } from './edge/exit.ts';
import { probeExit } from './edge/exit-health.ts';
const exit = createExit({ id: 'six', kind: 'network', network: '2001:db8:7::/48', country: 'de', products: ['PREMIUM'] });
const seen = [];
const server = createServer((socket) => { seen.push(socket.remoteAddress); socket.end(); });
server.listen(0, '::1', async () => {
  const { port } = server.address();
  const dial = createDialler({ next: () => undefined });
  const target = { country: 'de', switchesWhenLost: false };
  for (const session of ['one', 'two', 'one', undefined, undefined]) {
    const { socket, from } = await dial(exit, { address: '::1', port }, 5000, { target, session });
    await new Promise((done) => setImmediate(done));
    socket.destroy();
    if (!seen.includes(from)) await new Promise((done) => server.once('connection', done));
  }
  console.log(JSON.stringify({ seen, probe: await probeExit(exit) }));
  process.exit(0);
});
`;

test.skipIf(!canUnshare)('every session leaves by its own address, none of which is assigned to an interface', () => {
  const setUp =
    'ip link set lo up && ip -6 route add local 2001:db8:7::/48 dev lo && echo 1 > /proc/sys/net/ipv6/ip_nonlocal_bind && exec "$@"';
  const [command = '', ...first] = IN_NAMESPACE;
  const said = execFileSync(command, [...first, 'sh', '-c', setUp, 'sh', process.execPath, '--input-type=module', '-e', SCRIPT], {
    cwd: new URL('../../', import.meta.url),
    encoding: 'utf8',
  });
  const { seen, probe } = JSON.parse(said) as { seen: string[]; probe: boolean };
  expect(probe).toBe(true);
  expect(seen[0]).toBe(seen[2]);
  expect(new Set(seen).size).toBe(4);
  for (const address of seen) expect(address).toMatch(/^2001:db8:7:/);
});
