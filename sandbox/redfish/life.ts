// What happens as time passes: power changes, a machine starts from its medium or its disk, an installer runs and then switches it off.
import type { Metal, RedfishState } from './state.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** The self-test before a machine counts as on. */
export const POST_MS = 20 * SECOND_MS;
const CUT_MS = 2 * SECOND_MS;
const SHUTDOWN_MS = 15 * SECOND_MS;
const DISK_BOOT_MS = 40 * SECOND_MS;
const RESCUE_BOOT_MS = MINUTE_MS;
const PASSWORD_MS = MINUTE_MS;
const WIPE_MS = 3 * MINUTE_MS;
const INSTALL_MS = 12 * MINUTE_MS;
const WINDOWS_INSTALL_MS = 18 * MINUTE_MS;

export function switchOn(machine: Metal, at: number): void {
  Object.assign(machine, { power: 'PoweringOn', changesAt: at + POST_MS, lastResetAt: at });
}

export function switchOff(machine: Metal, at: number, how: 'cut' | 'shut_down', restarts = false): void {
  Object.assign(machine, { power: 'PoweringOff', changesAt: at + (how === 'cut' ? CUT_MS : SHUTDOWN_MS), lastResetAt: at, restarts });
}

/** Processes everything that is due by `now`; returns whether anything was. A machine that starts from a medium waits for `begin`. */
export function passTime(state: RedfishState, now: number): boolean {
  let changed = false;
  for (const machine of Object.values(state.machines)) {
    for (let moved = step(machine, now); moved; moved = step(machine, now)) changed = true;
  }
  return changed;
}

function step(machine: Metal, now: number): boolean {
  const { changesAt, readyAt, running } = machine;
  if (changesAt !== null && changesAt <= now) {
    if (machine.power === 'PoweringOn') start(machine, changesAt);
    else stopped(machine, changesAt);
    return true;
  }
  if (readyAt === null || readyAt > now || (running !== 'install' && running !== 'wipe' && running !== 'password')) return false;
  finish(machine, running);
  Object.assign(machine, { readyAt: null });
  switchOff(machine, readyAt, 'cut');
  return true;
}

function stopped(machine: Metal, at: number): void {
  Object.assign(machine, { power: 'Off', changesAt: null, running: null, starting: false, readyAt: null, rescue: null, seed: {} });
  if (machine.restarts) switchOn(machine, at);
  machine.restarts = false;
}

function start(machine: Metal, at: number): void {
  Object.assign(machine, { power: 'On', changesAt: null });
  const fromMedium = machine.bootOnce && machine.media.cd !== null && machine.bootMode !== 'Legacy';
  machine.bootOnce = false;
  if (fromMedium) Object.assign(machine, { running: 'nothing', starting: true, readyAt: at });
  else Object.assign(machine, { running: machine.disk ? 'disk' : 'nothing', readyAt: at + DISK_BOOT_MS });
}

/** The system on the medium has read its seed; `files` undefined: it could not be read. */
export function begin(machine: Metal, files: Record<string, string> | undefined): void {
  const image =
    machine.media.cd
      ?.split('/')
      .at(-1)
      ?.replace(/\.iso$/, '') ?? '';
  const at = machine.readyAt ?? 0;
  Object.assign(machine, { starting: false, seed: files ?? {}, readyAt: null });
  if (!files) return;
  if (image === 'egress-service') {
    const task = JSON.parse(files['task.json'] ?? '{}') as {
      task?: string;
      loginName?: string;
      password?: string;
      network?: { ip: string };
    };
    if (task.task === 'wipe') Object.assign(machine, { running: 'wipe', readyAt: at + WIPE_MS });
    if (task.task === 'password') Object.assign(machine, { running: 'password', readyAt: at + PASSWORD_MS });
    if (task.task === 'rescue' && task.network)
      Object.assign(machine, {
        running: 'rescue',
        readyAt: at + RESCUE_BOOT_MS,
        rescue: { ip: task.network.ip, users: { [task.loginName ?? '']: task.password ?? '' } },
      });
    return;
  }
  if (!answersOf(image, files)) return;
  machine.running = 'install';
  if (machine.jammed > 0) machine.jammed -= 1;
  else machine.readyAt = at + (image.startsWith('windows') ? WINDOWS_INSTALL_MS : INSTALL_MS);
}

function finish(machine: Metal, running: 'install' | 'wipe' | 'password'): void {
  if (running === 'wipe') machine.disk = null;
  if (running === 'password' && machine.disk) {
    const { loginName = '', password = '' } = JSON.parse(machine.seed['task.json'] ?? '{}') as { loginName?: string; password?: string };
    machine.disk.users[loginName] = password;
  }
  if (running !== 'install') return;
  const os =
    machine.media.cd
      ?.split('/')
      .at(-1)
      ?.replace(/\.iso$/, '') ?? '';
  const answers = answersOf(os, machine.seed);
  if (answers) machine.disk = { os, ...answers, generation: ++machine.generation };
}

/** The values that each installer reads from its own file; undefined: the installer stops at its first question. */
function answersOf(
  image: string,
  files: Record<string, string>,
): { hostname: string; ip: string; users: Record<string, string> } | undefined {
  if (image.startsWith('ubuntu')) {
    const text = files['user-data'];
    if (!text?.startsWith('#cloud-config\n') || files['meta-data'] === undefined) return undefined;
    const { autoinstall } = JSON.parse(text.slice('#cloud-config\n'.length)) as {
      autoinstall: {
        network: { ethernets: Record<string, { addresses: string[] }> };
        'user-data': { hostname: string; chpasswd: { users: { name: string; password: string }[] } };
      };
    };
    const system = autoinstall['user-data'];
    return {
      hostname: system.hostname,
      ip: Object.values(autoinstall.network.ethernets)[0]?.addresses[0]?.split('/')[0] ?? '',
      users: Object.fromEntries(system.chpasswd.users.map(({ name, password }) => [name, password])),
    };
  }
  if (image.startsWith('debian')) {
    const value = (key: string) => new RegExp(`^d-i ${key} \\w+ (.*)$`, 'm').exec(files['preseed.cfg'] ?? '')?.[1];
    const [login, password] = [value('passwd/username'), value('passwd/user-password')];
    if (login === undefined || password === undefined) return undefined;
    return { hostname: value('netcfg/get_hostname') ?? '', ip: value('netcfg/get_ipaddress') ?? '', users: { [login]: password } };
  }
  const xml = files['autounattend.xml'] ?? '';
  const plain = (text: string | undefined) => (text ?? '').replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  const password = /<AdministratorPassword><Value>([^<]*)</.exec(xml)?.[1];
  if (password === undefined) return undefined;
  return {
    hostname: plain(/<ComputerName>([^<]*)</.exec(xml)?.[1]),
    ip: /-IPAddress ([\d.]+)/.exec(xml)?.[1] ?? '',
    users: { Administrator: plain(password) },
  };
}

/** From address to the name of the system that answers there now. */
export function answering(state: RedfishState, now: number): Map<string, string> {
  const wanted = new Map<string, string>();
  for (const { power, running, readyAt, disk, rescue } of Object.values(state.machines)) {
    if (power !== 'On' || readyAt === null || readyAt > now) continue;
    if (running === 'disk' && disk) wanted.set(disk.ip, disk.hostname);
    if (running === 'rescue' && rescue) wanted.set(rescue.ip, 'rescue');
  }
  return wanted;
}
