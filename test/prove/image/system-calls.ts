// The system calls that a unit of deploy/systemd leaves its process, as a filter for a container: what works under it works under systemd.
import { execFileSync } from 'node:child_process';

/** What the container's runtime itself asks before it hands over; a process without capabilities gains nothing by them. */
const OF_RUNTIME = ['capget', 'capset', 'setgid', 'setgroups', 'setresgid', 'setresuid', 'setuid'];

/** `@system-service` -> its calls, with those of the sets that it holds. */
function callsOf(set: string): string[] {
  const lines = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager', set], { encoding: 'utf8' }).split('\n').slice(1);
  const names = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  return names.flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]));
}

/** As https://github.com/opencontainers/runtime-spec/blob/main/config-linux.md#seccomp says it; `unit`: its text. */
export function filterOf(unit: string): object {
  const lines = [...unit.matchAll(/^SystemCallFilter=(~?)(.+)$/gm)];
  const sets = (refused: boolean) =>
    lines.filter(([, sign]) => (sign === '~') === refused).flatMap(([, , names = '']) => names.split(' ').flatMap(callsOf));
  const refused = new Set(sets(true));
  const names = [...new Set([...sets(false).filter((name) => !refused.has(name)), ...OF_RUNTIME])];
  return { defaultAction: 'SCMP_ACT_ERRNO', defaultErrnoRet: 1, syscalls: [{ names, action: 'SCMP_ACT_ALLOW' }] };
}
