// The name and reference of a VPS at the hypervisor.
import type { ServerRow } from '../../servers/entities/server.ts';
import type { MachineRef } from '../providers/hypervisor.ts';

/** The machine's name at the hypervisor, which accepts only host names. */
export const machineName = ({ id }: Pick<ServerRow, 'id'>): string => id.replace('_', '-');

export function refOf({ node, machineNumber }: ServerRow): MachineRef {
  if (node === null || machineNumber === null) throw new Error('the server has no machine');
  return { node, number: machineNumber };
}
