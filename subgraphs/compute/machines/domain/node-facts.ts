/** A node of the hypervisor as it is now. */
export interface NodeFacts {
  name: string;
  online: boolean;
  cores: number;
  memoryBytes: number;
  /** The storage for disks of new machines; null: unknown, as on a node without our templates. */
  storage: string | null;
  diskBytes: number;
  diskUsedBytes: number;
  /** Images of which the node has a template. */
  images: readonly string[];
}
