import { unseal } from '#platform/sealing.ts';
import type { MachinesContext } from '../context.ts';
import type { BareMetalRow } from '../entities/bare-metal.ts';
import type { ControllerRef } from '../providers/bare-metal.ts';

/** The context to which a controller's password is sealed. */
export const controllerPlace = (machineName: string): string => `controller of ${machineName}`;

/** Address and credentials of a machine's controller; undefined: the machine is operated by hand. */
export function controllerOf(ctx: MachinesContext, machine: BareMetalRow): ControllerRef | undefined {
  const { controllerUrl: url, controllerSystem: system, controllerUsername: username, controllerPasswordSealed: sealed } = machine;
  if (!ctx.providers.metal || url === null || system === null || username === null || sealed === null) return undefined;
  return { url, system, username, password: unseal(sealed, ctx.providers.sealing, controllerPlace(machine.name)) };
}
