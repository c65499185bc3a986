// Puts the rescue system, as an ISO image, on the nodes that lack it or have another one.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { MachinesContext } from '../context.ts';
import { isoStorageOf } from '../domain/cluster-terms.ts';
import type { Store } from '../domain/template.ts';
import type { Hypervisor } from '../providers/hypervisor.ts';
import { type Meant, type Surroundings, Unprepared, finished, inClusters, megabytes } from './preparing.ts';

/** A volume descriptor begins at sector 16, with these bytes after the first one: ECMA-119, 8.1. */
const [MARK, MARK_AT] = ['CD001', 32_769];

/** `file`: the image on this machine. Returns what could not be done, in sentences that say what to do; the other nodes get it all the same. */
export async function prepareRescue(ctx: MachinesContext, file: string, meant: Meant, { say, pause }: Surroundings): Promise<string[]> {
  const image = await readImage(file);
  if (typeof image === 'string') return [image];
  return inClusters(ctx, meant, async ({ hypervisor, terms }, nodes, attempt) => {
    // One after the other: the node that is called keeps a copy of each until it has passed it on.
    for (const { name: node } of nodes)
      await attempt(`The rescue system on ${node}`, async () => {
        const store = await storeOf(hypervisor, node, isoStorageOf(terms), image.size);
        if ((await hypervisor.rescueImageSize(node)) === image.size) return say(`${node}  is there already, on ${store}`);
        say(`${node}  loading ${megabytes(image.size)} MB to ${store}`);
        const work = await hypervisor.loadRescueImage(node, image);
        await finished(hypervisor, work, pause, (reason) => failureOf(reason, node, store));
        if ((await hypervisor.rescueImageSize(node)) !== image.size)
          throw new Unprepared('the hypervisor says that it is done, but it has not happened. Run this again.');
        say(`${node}  ready, on ${store}`);
      });
  });
}

async function readImage(file: string): Promise<{ file: string; size: number; checksum: string } | string> {
  try {
    await using handle = await open(file);
    const { buffer } = await handle.read(Buffer.alloc(MARK.length), 0, MARK.length, MARK_AT);
    if (buffer.toString('latin1') !== MARK) return `${file} is no ISO image.`;
    const { size } = await handle.stat();
    const hash = createHash('sha256');
    for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
    return { file, size, checksum: hash.digest('hex') };
  } catch (error) {
    return `${file} cannot be read: ${(error as Error).message}`;
  }
}

async function storeOf(hypervisor: Hypervisor, node: string, name: string, size: number): Promise<string> {
  const stores = await hypervisor.stores(node);
  const store = stores.find((one) => one.name === name);
  if (!store) throw new Unprepared(`there is no storage ${name}; there are ${stores.map((one) => one.name).join(', ')}.`);
  if (!store.takes.includes('iso'))
    throw new Unprepared(`${name} takes no \`iso\`. On a node: pvesm set ${name} --content ${[...store.takes, 'iso'].join(',')}`);
  refuseFull(store, size);
  return name;
}

function refuseFull({ name, freeBytes }: Store, size: number): void {
  if (freeBytes < size)
    throw new Unprepared(`${name} has ${megabytes(freeBytes)} MB left, and the image has ${megabytes(size)} MB. Make room there.`);
}

const failureOf = (reason: string, node: string, store: string): string =>
  /checksum mismatch/.test(reason)
    ? `it arrived damaged, and was thrown away. Run this again. (${reason})`
    : /import failed|no space left/.test(reason)
      ? `${store} of ${node} could not take it: look whether it is full. (${reason})`
      : reason;
