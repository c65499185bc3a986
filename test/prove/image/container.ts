// Containers as an operator starts them, on this machine's network; podman's flags are those that also work where no systemd runs.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PODMAN = ['--runtime', 'runc', '--cgroup-manager=cgroupfs'];
/** buildah and podman read it alike: both must look into the same store. */
const ENVIRONMENT = { ...process.env, STORAGE_DRIVER: 'overlay' };

/** What of the two this machine misses. */
export const missing = (): string[] => ['buildah', 'podman'].filter((name) => spawnSync(name, ['--version']).error);

/** Resolves with what it printed on standard output; rejects with what it printed on the other. */
export const podman = async (...words: string[]): Promise<string> =>
  (await run('podman', [...PODMAN, ...words], { env: ENVIRONMENT, maxBuffer: 64 * 1024 * 1024 })).stdout.trim();

/** Builds the image with the command of the README, and resolves with its name as that prints it. */
export const buildImage = async (tag: string): Promise<string> =>
  (
    await run(process.execPath, ['scripts/image.mjs', '--tag', tag], {
      cwd: new URL('../../../', import.meta.url).pathname,
      env: ENVIRONMENT,
    })
  ).stdout.trim();

/** As `deploy/compose.yaml` runs it: nothing can be written but /data and /tmp, without any capability. */
const CONFINED = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges', '--memory=1g', '--network=host', '--no-healthcheck'];
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];

export interface Container {
  /** Runs node in it with these words; resolves with what it printed. */
  node(...words: string[]): Promise<string>;
  logs(): Promise<string>;
  /** Resolves when it has printed this; rejects when it ends without. */
  said(part: string): Promise<void>;
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number>;
  remove(): Promise<void>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function startContainer(
  image: string,
  environment: Record<string, string>,
  words: string[] = [],
  more: string[] = [],
): Promise<Container> {
  const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const id = await podman('run', '--detach', ...CONFINED, ...LIMITS, ...variables, ...more, image, ...words);
  const logs = async () => {
    const { stdout, stderr } = await run('podman', [...PODMAN, 'logs', id], { env: ENVIRONMENT });
    return stdout + stderr;
  };
  return {
    logs,
    node: (...inside) => podman('exec', id, '/usr/bin/node', ...inside),
    async said(part) {
      while (!(await logs()).includes(part)) {
        if ((await podman('inspect', '--format', '{{.State.Running}}', id)) !== 'true')
          throw new Error(`it ended and printed: ${await logs()}`);
        await pause(200);
      }
    },
    async stop() {
      await podman('kill', '--signal', 'TERM', id);
      return Number(await podman('wait', id));
    },
    remove: async () => void (await podman('rm', '--force', '--volumes', id)),
  };
}
