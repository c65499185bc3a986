// The system calls that a unit of deploy/systemd allows, as a seccomp filter for a container: what works with the filter works under systemd.
import { execFileSync } from 'node:child_process';

/** Calls that the container runtime makes before it starts the process; without capabilities they give the process nothing. */
const OF_RUNTIME = ['capget', 'capset', 'setgid', 'setgroups', 'setresgid', 'setresuid', 'setuid'];

/** The calls of a set such as `@system-service`, including those of the sets it contains. */
function callsOf(set: string): string[] {
  const lines = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager', set], { encoding: 'utf8' }).split('\n').slice(1);
  const names = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  return names.flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]));
}

/** The filter in the format of https://github.com/opencontainers/runtime-spec/blob/main/config-linux.md#seccomp; `unit`: the text of the unit. */
export function filterOf(unit: string): object {
  const lines = [...unit.matchAll(/^SystemCallFilter=(~?)(.+)$/gm)];
  const sets = (refused: boolean) =>
    lines.filter(([, sign]) => (sign === '~') === refused).flatMap(([, , names = '']) => names.split(' ').flatMap(callsOf));
  const refused = new Set(sets(true));
  const names = [...new Set([...sets(false).filter((name) => !refused.has(name)), ...OF_RUNTIME])];
  return { defaultAction: 'SCMP_ACT_ERRNO', defaultErrnoRet: 1, syscalls: [{ names, action: 'SCMP_ACT_ALLOW' }] };
}
