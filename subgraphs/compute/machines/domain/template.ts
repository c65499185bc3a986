// Templates of a node: what is there of one, and what its making lacks next.

/** A storage of a node. */
export interface Store {
  name: string;
  /** The kinds of content that it takes: `images` for disks, `import` for images to make disks from. */
  takes: readonly string[];
  freeBytes: number;
}

/** What a node has under the name of a template. */
export interface Draft {
  number: number;
  /** A template may have been marked as one before its disk was converted. */
  stage: 'MACHINE' | 'MARKED' | 'TEMPLATE';
  /** The work that holds it, or that has left it so; null: none. */
  lock: string | null;
  hasDisk: boolean;
  /** It was made here, so that what is half of it may be removed. */
  isOurs: boolean;
}

export const TEMPLATE_STEPS = ['DOWNLOAD', 'CREATE', 'DISCARD', 'CONVERT'] as const;
export type TemplateStep = (typeof TEMPLATE_STEPS)[number];

/** The next step, by what is there; null: the template is ready. */
export function nextStep(draft: Draft | undefined, hasFile: boolean): TemplateStep | null {
  if (!draft) return hasFile ? 'CREATE' : 'DOWNLOAD';
  if (draft.stage === 'TEMPLATE') return null;
  return draft.hasDisk ? 'CONVERT' : 'DISCARD';
}

/** Storages for a template: for its disk, and for the image that it is made from. Choices that were made come first; what the storages lack is said in a sentence. */
export function chooseStores(
  node: string,
  stores: readonly Store[],
  chosen: { disks?: string | undefined; images?: string | undefined; used: string | null },
): { disks: Store; images: Store } | string {
  const taking = (kind: string) => stores.filter(({ takes }) => takes.includes(kind));
  const named = (name: string | undefined, kind: string): Store | string | undefined => {
    if (name === undefined) return undefined;
    const store = stores.find((one) => one.name === name);
    if (!store) return `${node} has no storage ${name}; it has ${stores.map((one) => one.name).join(', ')}.`;
    return store.takes.includes(kind) ? store : lacks(node, store, kind);
  };
  const disks = named(chosen.disks, 'images') ?? taking('images').find(({ name }) => name === chosen.used) ?? only(taking('images'));
  if (typeof disks === 'string') return disks;
  if (!disks)
    return taking('images').length === 0
      ? `No storage of ${node} takes disks of machines (\`images\`).`
      : `Several storages of ${node} take disks of machines; choose one with --storage: ${names(taking('images'))}.`;
  const images = named(chosen.images, 'import') ?? taking('import')[0];
  if (typeof images === 'string') return images;
  const files = stores.find(({ takes }) => takes.includes('iso'));
  if (!images) return files ? lacks(node, files, 'import') : `No storage of ${node} takes images (\`import\`), which needs one of files.`;
  return { disks, images };
}

const only = (stores: readonly Store[]): Store | undefined => (stores.length === 1 ? stores[0] : undefined);
const names = (stores: readonly Store[]): string => stores.map(({ name }) => name).join(', ');
const lacks = (node: string, { name, takes }: Store, kind: string): string =>
  `${name} of ${node} takes no \`${kind}\`. On a node: pvesm set ${name} --content ${[...takes, kind].join(',')}`;
