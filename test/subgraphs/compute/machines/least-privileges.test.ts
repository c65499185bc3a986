// The role of docs/proxmox.md is enough for the life of a server, and nothing can be left out of it: without any one privilege a named step fails.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '#platform/clock.ts';
import type { MachineRef, MachineSettings } from '../../../../subgraphs/compute/machines/providers/hypervisor.ts';
import { type ComputeWorld, startCompute } from '../world.ts';

let world: ComputeWorld;
beforeAll(async () => {
  // No request is to hang here, and a busy machine must not look like a refusal.
  world = await startCompute({ timeoutMs: 30_000 });
});
afterAll(() => world.close());

const GUIDE = readFileSync(new URL('../../../../docs/proxmox.md', import.meta.url), 'utf8').replaceAll(/ \\\n\s*/g, ' ');
/** The privileges of a role, as the guide gives them; `release`: with those that it adds for that release. */
const roleOf = (role: string, release?: number): string[] => {
  const added = [
    ...GUIDE.matchAll(
      new RegExp(`pveum role (?:add|modify) ${role} (?:--append )?--privs (?:"([^"]+)"|(\\S+))(?: +# release (\\d))?`, 'g'),
    ),
  ];
  return added
    .filter(([, , , of]) => of === undefined || Number(of) === release)
    .flatMap(([, many, one]) => (many ?? one ?? '').split(' '));
};

const NODE = 'fra1';
let number = 50_000;

/** The life of a machine, step by step; returns the name of the step that failed, and why. */
async function live(): Promise<string> {
  const { hypervisor } = await world.context().providers.datacenter!.clusters.of();
  const ref: MachineRef = { node: NODE, number: number++ };
  const settings: MachineSettings = {
    ...{ cores: 2, ramGb: 4, hostname: `least-${ref.number}`, loginName: 'debian', password: 'A-Passw0rd-of-1', sshKeys: [] },
    ...{
      addresses: [{ ip: '127.80.9.9', bits: 16, gateway: '127.80.0.1' }],
      userData: null,
      instance: `least-${ref.number}`,
      takesMetaData: true,
    },
  };
  const done = async (work: Promise<string>) => {
    const id = await work;
    for (let looks = 0; looks < 20; looks++) {
      world.clock.advance(10 * SECOND);
      await world.hypervisor.tick();
      const { state, reason } = await hypervisor.work(id);
      if (state === 'failed') throw new Error(reason ?? 'failed');
      if (state !== 'running') return;
    }
  };
  const must = (ok: boolean, words: string) => {
    if (!ok) throw new Error(words);
  };
  const steps: Record<string, () => Promise<unknown>> = {
    'read the nodes': async () => {
      const node = (await hypervisor.nodes()).find(({ name }) => name === NODE);
      must((node?.memoryBytes ?? 0) > 0, 'without figures of the node');
      must((node?.images.length ?? 0) > 0, 'without templates');
      must((node?.diskBytes ?? 0) > 0, 'without figures of the storage');
    },
    'copy a template': () => done(hypervisor.clone(ref, 'debian-12', `least-${ref.number}`)),
    'set it up': async () => {
      await hypervisor.configure(ref, settings);
      must(await hypervisor.isConfigured(ref, settings), 'not set up');
    },
    'restrict it': () => hypervisor.guard(ref, ['127.80.9.9']),
    'grow its disk': () => done(hypervisor.resize(ref, 20)),
    'start it': async () => {
      await done(hypervisor.start(ref));
      world.clock.advance(60 * SECOND);
    },
    'set a password': () => hypervisor.setPassword(ref, 'debian', 'A-Passw0rd-of-2'),
    'open its console': () => hypervisor.openConsole(ref, 'GRAPHIC'),
    'move it': async () => {
      await done(hypervisor.migrate(ref, 'fra2'));
      ref.node = 'fra2';
    },
    'back it up': () => done(hypervisor.save(ref, 'op_least')),
    'boot the rescue system': () => hypervisor.setBoot(ref, { loginName: 'rescue', password: 'A-Passw0rd-of-3' }),
    'stop it': () => done(hypervisor.stop(ref)),
    'restore it': async () => done(hypervisor.replace(ref, (await hypervisor.saved(ref))[0]?.volume ?? '')),
    'drop the backup': async () => hypervisor.dropSaved(ref, (await hypervisor.saved(ref))[0]?.volume ?? ''),
    'remove it': () => done(hypervisor.remove(ref)),
  };
  for (const [step, run] of Object.entries(steps))
    try {
      await run();
    } catch (error) {
      return `${step}: ${(error as Error).message}`;
    }
  return 'lived';
}

/** Privilege -> the step that fails without it, and the words of the refusal. */
const NEEDED: Record<string, [step: string, words: string]> = {
  'Sys.Audit': ['read the nodes', 'without figures of the node'],
  'VM.Audit': ['read the nodes', 'without templates'],
  'Datastore.Audit': ['read the nodes', 'without figures of the storage'],
  'VM.Clone': ['copy a template', 'VM.Clone'],
  'VM.Allocate': ['copy a template', 'VM.Allocate'],
  'Datastore.AllocateSpace': ['copy a template', 'Datastore.AllocateSpace'],
  'SDN.Use': ['copy a template', 'SDN.Use'],
  'VM.Config.CPU': ['set it up', 'VM.Config.CPU'],
  'VM.Config.HWType': ['set it up', 'VM.Config.HWType'],
  'VM.Config.Memory': ['set it up', 'VM.Config.Memory'],
  'VM.Config.Network': ['set it up', 'VM.Config.Network'],
  'VM.Config.Options': ['set it up', 'VM.Config.Options'],
  'VM.Config.Disk': ['grow its disk', 'VM.Config.Disk'],
  'VM.PowerMgmt': ['start it', 'VM.PowerMgmt'],
  'VM.Console': ['open its console', 'VM.Console'],
  'VM.Migrate': ['move it', 'VM.Migrate'],
  'VM.Backup': ['back it up', 'VM.Backup'],
  'VM.Config.CDROM': ['boot the rescue system', 'VM.Config.CDROM'],
};
const AGENT: Record<number, string> = { 8: 'VM.Monitor', 9: 'VM.GuestAgent.Unrestricted' };

test.each([8, 9])('with the role of the guide a machine lives, and the guide asks for nothing else, release %i', async (release) => {
  world.hypervisor.upgrade(`${release}.1.2`);
  const role = roleOf('Egress', release);
  expect(role.toSorted()).toEqual([...Object.keys(NEEDED), AGENT[release]].toSorted());
  await world.hypervisor.shell(`pveum role add Least${release} --privs "${role.join(' ')}"
pveum user add test@pve
pveum acl modify / --users test@pve --roles Least${release}`);
  expect(await live()).toBe('lived');
  for (const [privilege, [step, words]] of Object.entries({ ...NEEDED, [AGENT[release]!]: ['set a password', AGENT[release]!] })) {
    world.hypervisor.lacking.push(privilege);
    expect(await live(), privilege).toMatch(new RegExp(`^${step}: .*${words}`));
    world.hypervisor.lacking.length = 0;
  }
  await world.hypervisor.shell('pveum user delete test@pve');
});
