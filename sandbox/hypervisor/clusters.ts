// What tells the two clusters of the sandbox apart: who may call each, and, of the second one, where it keeps its state and the names of its nodes.
import { join } from 'node:path';
import { createRandom } from '../random.ts';

interface Given {
  hypervisorToken?: string;
  hypervisorConsolePassword?: string;
  viennaToken?: string;
  viennaConsolePassword?: string;
  qemu?: string | undefined;
  seed?: number;
}

export const mainTerms = ({ hypervisorToken, hypervisorConsolePassword: consolePassword, qemu, seed = 1 }: Given) => ({
  random: createRandom(seed + 3),
  token: hypervisorToken ?? 'sandbox@pve!egress=sandbox_hypervisor_token',
  consolePassword,
  qemu,
});

export const viennaTerms = ({ viennaToken, viennaConsolePassword: consolePassword, seed = 1 }: Given, dataDir: string | undefined) => ({
  random: createRandom(seed + 7),
  token: viennaToken ?? 'sandbox@pve!egress=sandbox_vienna_token',
  consolePassword,
  dataDir: dataDir === undefined ? undefined : join(dataDir, 'vienna'),
  nodes: ['vie1', 'vie2'],
  sharesGuestPort: true,
});
