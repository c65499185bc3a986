// The stock of dedicated machines: machines are added to it, and taken out of it.
import { isIPv4 } from 'node:net';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { seal } from '#platform/sealing.ts';
import type { MachinesContext } from '../context.ts';
import { isWithin } from '../domain/address-range.ts';
import { type MachineEntry, parseMachines } from '../domain/machine-inventory.ts';
import { isAddressTaken, setOutOfService, stockOf, storeMachine } from '../entities/bare-metal.ts';
import { controllerPlace } from './controller.ts';

class Problems extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super('machines could not be taken in');
    this.problems = problems;
  }
}

/** Adds machines, or changes those of the same name that nobody holds: all of the list or none of it. */
export async function importMachines(ctx: MachinesContext, list: unknown): Promise<{ kept: number; problems: string[] }> {
  const { machines, problems } = parseMachines(list);
  if (problems.length > 0) return { kept: 0, problems };
  try {
    await inTransaction(ctx, async (tx) => {
      const wrong: string[] = [];
      for (const machine of machines) {
        const problem = await importMachine(tx, machine);
        if (problem) wrong.push(`${machine.name}: ${problem}`);
      }
      if (wrong.length > 0) throw new Problems(wrong);
    });
    return { kept: machines.length, problems: [] };
  } catch (error) {
    if (!(error instanceof Problems)) throw error;
    return { kept: 0, problems: error.problems };
  }
}

async function importMachine(ctx: MachinesContext, machine: MachineEntry): Promise<string | undefined> {
  const { em, clock, providers } = ctx;
  const { name, plan: planCode, ip, prefixLength, gateway, mac = null, controller } = machine;
  const ranges = (await providers.datacenter?.clusters.all())?.map(({ terms }) => terms.addresses) ?? [];
  if (isIPv4(ip) && ranges.some((range) => isWithin(ip, range))) return `${ip} is among the addresses of VPS`;
  if (await isAddressTaken(em, ip, name)) return `${ip} belongs to another machine`;
  const stored = await storeMachine(em, {
    id: newId('mach', clock),
    name,
    planCode,
    ip,
    prefixLength,
    gateway,
    mac,
    controllerUrl: controller?.url ?? null,
    controllerSystem: controller?.system ?? null,
    controllerUsername: controller?.username ?? null,
    controllerPasswordSealed: controller ? seal(controller.password, providers.sealing, controllerPlace(name)) : null,
    createdAt: clock.now(),
  });
  return stored === 'in_use' ? 'somebody has this machine' : undefined;
}

/** Takes a machine out of stock or puts it back; a server that has it keeps it. Errors: machine_not_found. */
export async function changeService(ctx: MachinesContext, id: string, outOfService: boolean): Promise<void> {
  if (!(await inTransaction(ctx, ({ em }) => setOutOfService(em, id, outOfService)))) throw fail('machine_not_found');
}

/** How many machines of a plan can be ordered now. */
export const planStock = async ({ em, clock }: MachinesContext, code: string): Promise<number> =>
  (await stockOf(em, clock.now())).get(code) ?? 0;
