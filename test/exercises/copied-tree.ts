// A copy of the tree in which an exercise makes its change. It is inside the tree, so that Node finds the tree's packages.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Installed, built and stored files and pictures, which no change touches. */
const LEFT_OUT = ['node_modules', '.git', '.data', 'web/build', 'web/node_modules', 'web/.svelte-kit', 'test/browser/snapshots'];

export interface CopiedTree {
  /** Adds a file. */
  write(path: string, text: string): void;
  /** Replaces `before`, which must occur exactly once in the file, with `after`. */
  edit(path: string, before: string, after: string): void;
  /** The number of the next migration. */
  nextMigration(): string;
  /** The files that were written or edited since the last call, sorted. */
  touched(): string[];
  /** Runs a program of the tree or of a package; returns its output and whether it succeeded. */
  run(program: string, args: readonly string[], folder?: string): { ok: boolean; said: string };
  remove(): void;
}

export function copyTree(): CopiedTree {
  mkdirSync(join(ROOT, '.data'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.data/exercise-'));
  for (const name of readdirSync(ROOT))
    if (!LEFT_OUT.includes(name))
      cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: (from) => !LEFT_OUT.includes(relative(ROOT, from)) });

  const touched = new Set<string>();
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    touched.add(path);
  };
  return {
    write(path, text) {
      if (existsSync(join(folder, path))) throw new Error(`${path} is there already`);
      put(path, text);
    },
    edit(path, before, after) {
      const parts = readFileSync(join(folder, path), 'utf8').split(before);
      if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${before}`);
      put(path, parts.join(after));
    },
    nextMigration() {
      const last =
        readdirSync(join(folder, 'migrations'))
          .filter((name) => name.endsWith('.sql'))
          .toSorted()
          .at(-1) ?? '';
      return String(Number(last.slice(0, 4)) + 1).padStart(4, '0');
    },
    touched() {
      const paths = [...touched].toSorted();
      touched.clear();
      return paths;
    },
    run(program, args, inside = '.') {
      const own = join(folder, program);
      const file = existsSync(own) ? own : join(ROOT, 'node_modules', program);
      const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
        cwd: join(folder, inside),
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
      });
      return { ok: status === 0, said: `${stdout}${stderr}` };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
