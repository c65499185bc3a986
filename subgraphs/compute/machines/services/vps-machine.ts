// How a VPS is known at the hypervisor.
import type { ServerRow } from '../../servers/entities/server.ts';
import type { MachineRef } from '../providers/hypervisor.ts';

/** The machine's name at the hypervisor, where names of hosts are asked for. */
export const machineName = ({ id }: Pick<ServerRow, 'id'>): string => id.replace('_', '-');

export function refOf({ node, machineNumber }: ServerRow): MachineRef {
  if (node === null || machineNumber === null) throw new Error('the server has no machine');
  return { node, number: machineNumber };
}
