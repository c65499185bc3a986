// Makes templates on nodes, step by step by what is there, so that a run that was broken off is continued by the next one.
import type { MachinesContext } from '../context.ts';
import { type CloudImage, PUBLISHED_IMAGES, algorithmOf, fileOf } from '../domain/cloud-image.ts';
import { type Draft, type Store, type TemplateStep, chooseStores, nextStep } from '../domain/template.ts';
import type { HypervisorTerms } from '../hypervisor-configuration.ts';
import type { Hypervisor, MachineRef } from '../providers/hypervisor.ts';
import { publishedImage } from '../providers/publishers.ts';
import {
  type Attempt,
  type Meant,
  type NodeToPrepare,
  type Surroundings,
  Unprepared,
  finished,
  inClusters,
  megabytes,
} from './preparing.ts';

export interface TemplateWish extends Meant {
  /** Empty: every image that has a publisher. */
  images: readonly string[];
  /** The storage for disks, and that for images; absent: those that fit. */
  disks?: string | undefined;
  store?: string | undefined;
  /** An image of the operator's own, for the one that is named. */
  own?: { url: string; checksum: string } | undefined;
}

/** Where one template is made, and what from. */
interface Place {
  node: string;
  image: string;
  source: CloudImage;
  file: string;
  disks: Store;
  store: Store;
}

/** Makes every template that is wished for and missing. Returns what could not be done, in sentences that say what to do; the others are made all the same. */
export const prepareTemplates = (ctx: MachinesContext, wish: TemplateWish, surroundings: Surroundings): Promise<string[]> =>
  inClusters(ctx, wish, async ({ hypervisor, terms }, nodes, attempt, tell) => {
    const obstacles = await hypervisor.obstacles();
    for (const obstacle of obstacles) tell(obstacle);
    if (obstacles.length > 0) return;
    const inCluster = { hypervisor, terms, nodes, promised: new Set<number>(), attempt };
    for (const image of wish.images.length > 0 ? wish.images : PUBLISHED_IMAGES)
      await attempt(image, () => prepareImage(inCluster, image, wish, surroundings));
  });

interface InCluster {
  hypervisor: Hypervisor;
  terms: HypervisorTerms;
  nodes: readonly NodeToPrepare[];
  /** Numbers that are given to templates which do not have them yet. */
  promised: Set<number>;
  attempt: Attempt;
}

/** Makes the templates of one image on the nodes of a cluster. */
async function prepareImage(
  { hypervisor, terms, nodes, promised, attempt }: InCluster,
  image: string,
  wish: TemplateWish,
  surroundings: Surroundings,
): Promise<void> {
  const source = await sourceOf(image, wish, terms);
  const made: Place[] = [];
  // Nodes load and copy beside each other; a number is promised to one of them.
  await Promise.all(
    nodes.map(({ name, storage }) =>
      attempt(`${image} on ${name}`, async () => {
        const stores = chooseStores(name, await hypervisor.stores(name), { disks: wish.disks, images: wish.store, used: storage });
        if (typeof stores === 'string') throw new Unprepared(stores);
        const place = { node: name, image, source, file: fileOf(image, source), disks: stores.disks, store: stores.images };
        await prepare(hypervisor, place, promised, surroundings);
        made.push(place);
      }),
    ),
  );
  // A storage may be shared, so an image goes only when no node needs it any more.
  if (made.length === nodes.length) await attempt(`${image}, the loaded image`, () => discardImages(hypervisor, made, surroundings));
}

/** Removes what was loaded for templates that are there: nothing is made of it again before its publisher has a newer one. */
async function discardImages(hypervisor: Hypervisor, made: readonly Place[], { say }: Surroundings): Promise<void> {
  for (const { node, image, store, file } of made) {
    if (!(await hypervisor.hasFile(node, store.name, file))) continue;
    await hypervisor.dropFile(node, store.name, file);
    say(`${node}  ${image}  removed the loaded image from ${store.name}`);
  }
}

const NEEDS = 'the guest agent, cloud-init, and SSH that takes passwords';

async function sourceOf(image: string, { own }: TemplateWish, { snippets, imageMirror }: HypervisorTerms): Promise<CloudImage> {
  if (own) {
    const algorithm = algorithmOf(own.checksum);
    if (!algorithm) throw new Unprepared('--checksum must be a SHA-256 or SHA-512 in hexadecimal.');
    return { ...own, algorithm };
  }
  if (!PUBLISHED_IMAGES.includes(image))
    throw new Unprepared(`nobody publishes an image that fits. Give one of your own that has ${NEEDS}: --url URL --checksum CHECKSUM`);
  if (!snippets)
    throw new Unprepared(
      `images of publishers lack the guest agent and take no passwords; servers get both by a snippet: set PROXMOX_SNIPPETS. Or give an image of your own that has ${NEEDS}: --url URL --checksum CHECKSUM`,
    );
  const source = await publishedImage(image, imageMirror).catch((error: unknown) => {
    throw new Unprepared(`${(error as Error).message}. Try again later, or give the image yourself: --url URL --checksum CHECKSUM`);
  });
  if (!source) throw new Unprepared('nobody publishes an image.');
  return source;
}

async function prepare(hypervisor: Hypervisor, place: Place, promised: Set<number>, { say, pause }: Surroundings): Promise<void> {
  const { node, image, file, store } = place;
  const done = new Set<TemplateStep>();
  for (;;) {
    const draft = await hypervisor.draft(node, image);
    if (draft) refuseForeign(node, image, draft);
    const step = nextStep(draft, await hypervisor.hasFile(node, store.name, file));
    if (step === null) return say(`${node}  ${image}  ${done.size === 0 ? 'is there already' : 'ready'}, number ${draft?.number}`);
    if (done.has(step))
      throw new Unprepared(`the hypervisor says that it is done, but it has not happened: ${step.toLowerCase()}. Run this again.`);
    done.add(step);
    const number = draft?.number ?? (step === 'CREATE' ? await hypervisor.freeNumber(promised) : 0);
    await finished(hypervisor, await run(hypervisor, place, step, { node, number }, say), pause, (reason) => failureOf(reason, place));
  }
}

function refuseForeign(node: string, image: string, { number, stage, isOurs, lock }: Draft): void {
  if (stage === 'TEMPLATE') return;
  if (!isOurs)
    throw new Unprepared(
      `machine ${number} of ${node} is named egress-${image}, and is neither a template nor made here. Rename or convert it.`,
    );
  if (lock !== null)
    throw new Unprepared(
      `machine ${number} of ${node} is locked (${lock}), by work that runs or that has broken off. When no task of it runs: qm unlock ${number} on ${node}, then run this again.`,
    );
}

/** Starts a step, and returns the id of its work. */
async function run(hypervisor: Hypervisor, place: Place, step: TemplateStep, ref: MachineRef, say: Surroundings['say']): Promise<string> {
  const { node, image, source, file, disks, store } = place;
  const told = (words: string) => say(`${node}  ${image}  ${words}`);
  switch (step) {
    case 'DOWNLOAD': {
      const size = await hypervisor.sizeAt(node, source.url);
      if (size !== null) refuseFull(node, store, size);
      told(`loading ${source.url}${size === null ? '' : ` (${megabytes(size)} MB)`} to ${store.name}`);
      return hypervisor.download(node, store.name, file, source);
    }
    case 'CREATE':
      told(`making machine ${ref.number} with a disk on ${disks.name}`);
      return hypervisor.createFrom(node, ref.number, image, { disks: disks.name, images: store.name, file });
    case 'DISCARD':
      told(`removing machine ${ref.number}, which was left without a disk`);
      return hypervisor.remove(ref);
    case 'CONVERT':
      told(`converting machine ${ref.number} to a template`);
      return hypervisor.convert(node, ref.number);
  }
}

function refuseFull(node: string, { name, freeBytes }: Store, bytes: number): void {
  if (freeBytes < bytes)
    throw new Unprepared(
      `${name} of ${node} has ${megabytes(freeBytes)} MB left, and the image has ${megabytes(bytes)} MB. Make room, or choose another with --import-storage.`,
    );
}

/** What a failed task means for the operator. The reasons are those of Proxmox VE; `wget` ends with 3 when it cannot write. */
function failureOf(reason: string, { node, store, disks, source }: Place): string {
  if (/checksum mismatch.*aborting/.test(reason))
    return `the file on ${store.name} of ${node} is damaged. Remove it there, and run this again. (${reason})`;
  if (/checksum mismatch/.test(reason))
    return `what is at ${source.url} does not have the checksum that it should, and was thrown away. Run this again; if it stays so, do not trust that source. (${reason})`;
  if (/wget.*exit code 3$/.test(reason))
    return `${store.name} of ${node} is full. Make room, or choose another with --import-storage. (${reason})`;
  if (/no space left|insufficient free space|out of space/i.test(reason))
    return `${disks.name} of ${node} is full. Make room, or choose another with --storage. (${reason})`;
  if (/wget/.test(reason)) return `${node} cannot load ${source.url}: look at its route, its names and its proxy. (${reason})`;
  return reason;
}
