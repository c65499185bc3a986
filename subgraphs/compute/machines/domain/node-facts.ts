/** A node as it is now. */
export interface NodeFacts {
  name: string;
  online: boolean;
  cores: number;
  memoryBytes: number;
  /** The storage that disks of new machines go to; null: it is not known, as on a node without our templates. */
  storage: string | null;
  diskBytes: number;
  diskUsedBytes: number;
  /** Images that it has a template of. */
  images: readonly string[];
}
