// A VPS on a machine that really boots, in QEMU with software emulation: bought, built, used and switched off through the product. Skipped without QEMU.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { WebSocket } from 'ws';
import { openScreen } from '../../kit/rfb-client.ts';
import { type Stack, startStack } from '../../kit/stack.ts';
import { type Customer, buyVps, customerOf, passTime } from './bought-vps.ts';

const PROGRAM =
  process.env['SANDBOX_QEMU'] ??
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'qemu-system-x86_64'))
    .find((file) => existsSync(file));
if (PROGRAM === undefined)
  process.stderr.write('No machine really boots: there is no qemu-system-x86_64 (Debian: qemu-system-x86), nor SANDBOX_QEMU.\n');

describe.skipIf(PROGRAM === undefined)('a VPS on a real virtual machine', { timeout: 120_000 }, () => {
  let stack: Stack;
  let owner: Customer;
  let id: string;
  beforeAll(async () => {
    stack = await startStack({ environment: { SANDBOX_QEMU: PROGRAM ?? '' } });
    owner = await customerOf(stack);
    ({ id } = await buyVps(stack, owner, 'plan: PLANK, months: 1, os: DEBIAN_12, hostname: "web-1", backups: true'));
  }, 120_000);
  afterAll(() => stack?.close());

  const machine = () => {
    const [found] = stack.sandbox.hypervisor.machines();
    if (!found) throw new Error('there is no machine');
    return found;
  };
  const shown = async () =>
    (
      await owner.ask<{ server: { status: string; powerState: string } }>(
        'query ($id: ID!) { server(id: $id) { powerState ... on Vps { status } } }',
        { id },
      )
    ).server;
  async function act(mutation: string, more = '', given: object = {}): Promise<void> {
    const [declared = '', passed = ''] = more.split('|');
    await owner.ask(`mutation ($id: ID!${declared}) { ${mutation}(id: $id${passed}) { id } }`, { id, ...given });
    await stack.sandbox.hypervisor.quiet();
    await passTime(stack);
  }
  async function consoleOf(kind: 'TEXT' | 'GRAPHIC'): Promise<WebSocket> {
    const { opened } = await owner.ask<{ opened: { path: string } }>(
      'mutation ($id: ID!, $kind: ConsoleKind!) { opened: vpsOpenConsole(id: $id, kind: $kind) { path } }',
      { id, kind },
    );
    const socket = new WebSocket(stack.url.replace('http', 'ws') + opened.path, ['binary'], {
      headers: { cookie: owner.cookie, origin: stack.url },
    });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return socket;
  }
  /** Types on the serial console and waits for `until` in its output. */
  async function talk(typed: string, until: string): Promise<string> {
    const socket = await consoleOf('TEXT');
    let seen = '';
    socket.on('message', (data: Buffer) => (seen += data.toString()));
    await expect.poll(() => seen, { timeout: 20_000 }).toContain('> ');
    socket.send(Buffer.from(typed));
    await expect.poll(() => seen, { timeout: 20_000 }).toContain(until);
    socket.close();
    return seen;
  }

  test('is built on the node that runs them, and is Active once its system has booted', async () => {
    expect(machine().node).toBe('fra0');
    expect(await shown()).toEqual({ status: 'ACTIVE', powerState: 'RUNNING' });
  });

  test('has a text console that is its serial line: its system says its name and takes what is typed', async () => {
    expect(await talk('precious\r', 'precious\r\n> ')).toContain('machine web-1');
  });

  test('has a screen that QEMU draws', async () => {
    const socket = await consoleOf('GRAPHIC');
    const screen = await openScreen(socket);
    expect(screen).toMatchObject({ version: 'RFB 003.008\n', securityTypes: [1], title: expect.stringContaining('web-1') as string });
    // A screen with text has more than one colour.
    expect(new Set(await screen.picture()).size).toBeGreaterThan(1);
    socket.close();
  });

  test('is measured as it works', async () => {
    await talk('%', '%');
    const use = async () => {
      await stack.sandbox.hypervisor.tick();
      return machine().measured;
    };
    await expect.poll(async () => (await use())?.cpu ?? 0, { timeout: 20_000, interval: 600 }).toBeGreaterThan(0.1);
    stack.clock.advance(MINUTE);
    await stack.sandbox.hypervisor.tick();
    const { server } = await owner.ask<{ server: { metrics: { cpuRatio: number; memoryBytes: number }[] } }>(
      'query ($id: ID!) { server(id: $id) { ... on Vps { metrics(span: HOUR) { cpuRatio memoryBytes } } } }',
      { id },
    );
    expect(server.metrics.at(-1)?.cpuRatio).toBeGreaterThan(0.05);
    expect(server.metrics.at(-1)?.memoryBytes).toBeGreaterThan(1_000_000);
    await talk('%', '%');
  });

  test('ends by itself when it is asked to stop, and its disk says after the next start what it kept', async () => {
    await talk('precious\r', 'precious\r\n> ');
    await act('vpsStop');
    expect(await shown()).toEqual({ status: 'ACTIVE', powerState: 'STOPPED' });
    expect(machine().disk?.contents['/kept']).toContain('precious');
    await act('vpsStart');
    expect(await shown()).toEqual({ status: 'ACTIVE', powerState: 'RUNNING' });
    expect(await talk('\r', '> ')).toMatch(/kept: .*precious/);
  });

  test('comes back from a backup with what its disk kept then, and is off at once when its power is cut', async () => {
    await act('vpsTakeBackup');
    await talk('lost\r', 'lost\r\n> ');
    const { server } = await owner.ask<{ server: { backups: { items: { id: string }[] } } }>(
      'query ($id: ID!) { server(id: $id) { ... on Vps { backups { items { id } } } } }',
      { id },
    );
    await act('vpsRestore', ', $backup: ID!|, backup: $backup, hostname: "web-1"', { backup: server.backups.items[0]?.id });
    expect(await talk('\r', '> ')).toMatch(/kept: .*precious/);
    await act('vpsForceStop');
    expect(await shown()).toEqual({ status: 'ACTIVE', powerState: 'STOPPED' });
  });
});
