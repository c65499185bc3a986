// A machine with BIOS and one NVMe disk, under QEMU alone: boots the live system with a seed beside it, as controllers and the hypervisor insert both.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { MachineNetwork } from '../../../subgraphs/compute/provisioning/domain/machine-task.ts';

/** QEMU's own network: its guests have these addresses. */
export const NETWORK: MachineNetwork = { ip: '10.0.2.15', prefixLength: 24, gateway: '10.0.2.2', mac: '52:54:00:12:34:56' };

export interface Machine {
  /** Resolves when the machine has switched itself off. */
  off: Promise<void>;
  /** What stands on its serial line. */
  screen(): string;
  end(): void;
}

export function boot({
  image,
  seed,
  disk,
  port,
  logFile,
}: Record<'image' | 'seed' | 'disk' | 'logFile', string> & { port: number }): Machine {
  const drive = (file: string, more: string) => ['-drive', `file=${file},format=raw,${more}`];
  const child = spawn('qemu-system-x86_64', [
    ...['-accel', 'tcg,thread=multi', '-cpu', 'max', '-m', '2048', '-smp', '2', '-display', 'none', '-no-reboot', '-boot', 'd'],
    ...['-serial', `file:${logFile}`],
    ...drive(image, 'media=cdrom,index=2'),
    ...drive(seed, 'media=cdrom,index=3'),
    ...drive(disk, 'if=none,id=disk,discard=unmap'),
    ...['-device', 'nvme,drive=disk,serial=disk'],
    ...['-nic', `user,mac=${NETWORK.mac},hostfwd=tcp:127.0.0.1:${port}-${NETWORK.ip}:22`],
  ]);
  const off = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`QEMU ended with ${code}`))));
  });
  off.catch(() => {});
  return { off, screen: () => (existsSync(logFile) ? readFileSync(logFile, 'latin1') : ''), end: () => void child.kill() };
}

/** The greeting of SSH at a port; undefined: none yet. */
export const greetingAt = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const give = (greeting?: string) => {
      socket.destroy();
      resolve(greeting);
    };
    socket.setTimeout(5_000, give);
    socket.once('data', (bytes) => give(bytes.toString('latin1')));
    socket.once('error', () => give());
    socket.once('close', () => give());
  });
