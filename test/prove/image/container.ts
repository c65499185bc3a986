// Starts containers as an operator does, on this machine's network, with podman's flags that also work without systemd.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PODMAN = ['--runtime', 'runc', '--cgroup-manager=cgroupfs'];
/** For buildah and podman, which must use the same store. */
const ENVIRONMENT = { ...process.env, STORAGE_DRIVER: 'overlay' };

/** The missing ones of the two programs. */
export const missing = (): string[] => ['buildah', 'podman'].filter((name) => spawnSync(name, ['--version']).error);

/** Runs podman. Resolves with its standard output; rejects with its standard error. */
export const podman = async (...words: string[]): Promise<string> =>
  (await run('podman', [...PODMAN, ...words], { env: ENVIRONMENT, maxBuffer: 64 * 1024 * 1024 })).stdout.trim();

/** Builds the image with the command of the README. Resolves with the image's name, as the command prints it. */
export const buildImage = async (tag: string): Promise<string> =>
  (
    await run(process.execPath, ['scripts/image.mjs', '--tag', tag], {
      cwd: new URL('../../../', import.meta.url).pathname,
      env: ENVIRONMENT,
    })
  ).stdout.trim();

/** The restrictions of `deploy/compose.yaml`: only /data and /tmp are writable, no capabilities. */
const CONFINED = ['--read-only', '--cap-drop=all', '--security-opt=no-new-privileges', '--memory=1g', '--network=host', '--no-healthcheck'];
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];

export interface Container {
  /** Runs node in the container with these arguments; resolves with the output. */
  node(...words: string[]): Promise<string>;
  logs(): Promise<string>;
  /** Resolves when the container has printed this; rejects when it ends before. */
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
