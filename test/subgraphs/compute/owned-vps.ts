// A delivered VPS and what its owner sees of it, for the test files that call `withOwnedVps`: `deliver` makes a new one for a test.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { settleServers } from '../../../subgraphs/compute/provisioning/services/settle.ts';
import { sessionOf } from '../../kit/platform.ts';
import { type ComputeWorld, startCompute } from './world.ts';
import { setRows } from '../../kit/tables.ts';

export let world: ComputeWorld;
export let orderId: string;
export let id: string;
export const owner = sessionOf('acct_owner');
export const machine = () => world.hypervisor.machine(id.replace('_', '-'));
/** Starts the world before the tests of the calling file, and closes it after them. */
export function withOwnedVps(): void {
  beforeAll(async () => {
    world = await startCompute({ last: '127.80.3.200' });
  });
  afterAll(() => world.close());
  /** Frees the room on the nodes that machines of earlier tests take. */
  beforeEach(async () => {
    for (const node of ['fra1', 'fra2', 'fra3']) await world.hypervisor.up(node);
    await setRows(world.query, 'compute.server', { status: 'REMOVED' });
    await settle();
  });
}
/** Makes a paid order, of which nothing is built yet. */
export async function order(options: { extraIpv4?: number; backups?: boolean } = {}): Promise<void> {
  orderId = await world.order(options);
  id = (await world.server(orderId)).id;
}
/** Makes and delivers a new Plank. */
export async function deliver(options: { extraIpv4?: number; backups?: boolean } = {}): Promise<void> {
  await order(options);
  await world.run();
  expect(await world.server(orderId)).toMatchObject({ status: 'ACTIVE' });
}

export async function settle(): Promise<void> {
  await settleServers(world.context(), 'VPS');
  await world.run();
}

interface Shown {
  status: string;
  powerState: string;
  ipv4: string[];
  cancelAtPeriodEnd: boolean;
  plan: { code: string };
  backups: {
    enabled: boolean;
    lastAt: string | null;
    nextAt: string | null;
    items: { id: string; kind: string; expiresAt: string | null }[];
  };
  availableActions: { action: string; allowed: boolean; reason: string | null }[];
  operations: { command: string; status: string; error: { message: string } | null }[];
}

export async function shown(): Promise<Shown> {
  const { data, errors } = await world.ask(
    owner,
    `query ($id: ID!) { server(id: $id) { powerState ipv4 ... on Vps { status cancelAtPeriodEnd plan { code }
      backups { enabled lastAt nextAt items { id kind expiresAt } } availableActions { action allowed reason } operations(limit: 3) { command status error { message } } } } }`,
    { id },
  );
  if (errors) throw new Error(errors[0]?.message);
  return (data as { server: Shown }).server;
}

export async function act(mutation: string, args = ''): Promise<string> {
  const { errors } = await world.ask(owner, `mutation { ${mutation}(id: "${id}"${args}) { id } }`);
  return errors ? `${String(errors[0]?.extensions['code'])}: ${errors[0]?.message}` : 'begun';
}

export const reasonOf = async (action: string) => (await shown()).availableActions.find((row) => row.action === action)?.reason;
export const write = (path: string, text: string) =>
  world.hypervisor.change(id.replace('_', '-'), ({ disk }) => void (disk && (disk.contents[path] = text)));
