// Our interface to the hypervisor as far as templates and the rescue system are put there. Methods that return a string have started work with that id.
import type { CloudImage } from '../domain/cloud-image.ts';
import type { Draft, Store } from '../domain/template.ts';

export interface TemplateMaker {
  /** What keeps the hypervisor from making templates at all: an old release, or privileges that the token lacks. Sentences that say what to do. */
  obstacles(): Promise<string[]>;
  stores(node: string): Promise<Store[]>;
  draft(node: string, image: string): Promise<Draft | undefined>;
  /** A number for a template, outside of those of servers and of those that are promised, to which it is added. */
  freeNumber(promised: Set<number>): Promise<number>;
  hasFile(node: string, store: string, file: string): Promise<boolean>;
  /** Removes an image from a storage. */
  dropFile(node: string, store: string, file: string): Promise<void>;
  /** The bytes of what is at a URL, as the node sees it; null: the server does not say. */
  sizeAt(node: string, url: string): Promise<number | null>;
  /** Loads an image to a storage, which keeps it only with the right checksum. */
  download(node: string, store: string, file: string, image: CloudImage): Promise<string>;
  /** Makes a machine with a disk from the image on the storage. */
  createFrom(node: string, number: number, image: string, place: { disks: string; images: string; file: string }): Promise<string>;
  convert(node: string, number: number): Promise<string>;
  /** The bytes of the rescue system's image on a node; null: there is none. */
  rescueImageSize(node: string): Promise<number | null>;
  /** Loads the image of the rescue system, a file of this machine with its SHA-256, to a node, in place of another one. */
  loadRescueImage(node: string, image: { file: string; size: number; checksum: string }): Promise<string>;
}
