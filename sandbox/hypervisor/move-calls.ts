// Migration of a machine to another node of its cluster. Source: qemu-server 9.2.6, PVE/API2/Qemu.pm, migrate_vm.
import { type Call, Refusal } from './call.ts';
import { machineOf, required, settled, task } from './calls.ts';
import type { MoveEndpoint } from './endpoints.ts';
import type { HypervisorState } from './state.ts';

const invalid = (target: string) => new Refusal('Parameter verification failed.', 400, { target });

export const MOVE_CALLS: Record<MoveEndpoint, (state: HypervisorState, call: Call) => unknown> = {
  migrate(state, call) {
    const machine = machineOf(state, call);
    const target = required(call.given, 'target');
    if (!state.nodes.includes(target)) throw new Refusal(`no such cluster node '${target}'`);
    if (target === machine.node) throw invalid('target is local node.');
    settled(state, call);
    if (machine.running && call.given['online'] !== '1') throw invalid("can't migrate running VM without --online");
    return task(state, call, machine.node, 'qmigrate', {
      kind: 'migrate',
      vmid: machine.vmid,
      target,
      withLocalDisks: call.given['with-local-disks'] === '1',
    });
  },
};
