// Images of systems that their publishers make for clouds, and that templates are made from. Each publisher has a file of checksums beside them.
// Sources: https://cloud.debian.org/images/cloud/ and https://cloud-images.ubuntu.com/releases/.

/** An image to download, with the checksum that it must have. */
export interface CloudImage {
  url: string;
  algorithm: 'sha256' | 'sha512';
  /** Hexadecimal. */
  checksum: string;
}

interface Publication {
  url: string;
  /** The name of the file of checksums, in the same folder. */
  sums: string;
}

const debian = (name: string, release: number): Publication => ({
  url: `https://cloud.debian.org/images/cloud/${name}/latest/debian-${release}-genericcloud-amd64.qcow2`,
  sums: 'SHA512SUMS',
});

/** Image of an operating system -> what its publisher offers. Windows has no such image. */
const PUBLICATIONS: Readonly<Record<string, Publication>> = {
  'debian-12': debian('bookworm', 12),
  'debian-13': debian('trixie', 13),
  'ubuntu-24-04': {
    url: 'https://cloud-images.ubuntu.com/releases/noble/release/ubuntu-24.04-server-cloudimg-amd64.img',
    sums: 'SHA256SUMS',
  },
};
export const PUBLISHED_IMAGES = Object.keys(PUBLICATIONS);

/** Where an image and its checksums are. `mirror`: the URL of a folder that has one for each publisher's host. */
export function publicationOf(image: string, mirror?: string): { url: string; sumsUrl: string } | undefined {
  const published = PUBLICATIONS[image];
  if (!published) return undefined;
  const url = mirror === undefined ? published.url : published.url.replace('https:/', mirror.replace(/\/$/, ''));
  return { url, sumsUrl: url.replace(/[^/]+$/, published.sums) };
}

/** The algorithm of a checksum, by its length; undefined: it is none that we take. */
export const algorithmOf = (checksum: string): CloudImage['algorithm'] | undefined =>
  /^[\da-f]{128}$/i.test(checksum) ? 'sha512' : /^[\da-f]{64}$/i.test(checksum) ? 'sha256' : undefined;

/** The checksum of a file in the text of `sha256sum` and its like: `CHECKSUM  NAME`, or `CHECKSUM *NAME`. */
export const checksumIn = (sums: string, name: string): string | undefined =>
  sums
    .split('\n')
    .map((line) => /^([\da-f]+) [ *](.+)$/i.exec(line.trim()))
    .find((found) => found?.[2] === name)?.[1];

/** The name of the image's file on a storage, which says what is in it: another release has another name. */
export const fileOf = (image: string, { checksum }: CloudImage): string => `egress-${image}-${checksum.slice(0, 12).toLowerCase()}.qcow2`;
