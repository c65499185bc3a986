// What stops a migration that has begun. Source: qemu-server 9.2.6, PVE/QemuMigrate.pm, scan_local_volumes: the drive of cloud-init is made anew on the other
// node, any other medium in a local storage ends the task.
import { type HypervisorState, type Machine, isReal } from './state.ts';

/** Why a migration fails; undefined: it does not. */
export function obstacle(state: HypervisorState, machine: Machine, target: string, withLocalDisks: boolean): string | undefined {
  const storage = String(machine.config['scsi0']).split(':')[0] ?? '';
  const medium = Object.entries(machine.config).find(([key, value]) => /^(ide|sata)\d$/.test(key) && /:iso\//.test(String(value)));
  const failed = (words: string) => `migration aborted (duration 00:00:03): ${words}`;
  if (isReal(machine) || isReal({ node: target })) return failed('the sandbox moves no real machine');
  if (state.down.includes(target)) return failed(`Can't connect to destination address using public key`);
  if (medium) return failed(`can't migrate '${String(medium[1]).split(',')[0]}' - local cdrom image`);
  if (machine.running && !withLocalDisks) return failed(`can't live migrate attached local disks without with-local-disks option`);
  if (state.full.includes(`${target}/${storage}`)) return failed(`storage migration failed: no space left on device`);
  return undefined;
}
