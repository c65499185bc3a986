// A mirror of the publishers of cloud images: small qcow2 files under the publishers' own paths, with their files of checksums.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const GB = 1_073_741_824n;
/** The header of QEMU's docs/interop/qcow2: magic bytes, version, and at byte 24 the size of the disk. */
function qcow2(gigabytes: bigint, text: string): Buffer {
  const header = Buffer.alloc(104);
  header.write('QFI\u{fb}', 0, 'latin1');
  header.writeUInt32BE(3, 4);
  header.writeBigUInt64BE(gigabytes * GB, 24);
  return Buffer.concat([header, Buffer.from(text)]);
}

const DEBIAN = '/cloud.debian.org/images/cloud';
const FILES: Readonly<Record<string, { algorithm: string; sums: string; bytes: Buffer }>> = {
  [`${DEBIAN}/bookworm/latest/debian-12-genericcloud-amd64.qcow2`]: {
    algorithm: 'sha512',
    sums: 'SHA512SUMS',
    bytes: qcow2(3n, 'bookworm'),
  },
  [`${DEBIAN}/trixie/latest/debian-13-genericcloud-amd64.qcow2`]: { algorithm: 'sha512', sums: 'SHA512SUMS', bytes: qcow2(3n, 'trixie') },
  '/cloud-images.ubuntu.com/releases/noble/release/ubuntu-24.04-server-cloudimg-amd64.img': {
    algorithm: 'sha256',
    sums: 'SHA256SUMS',
    bytes: qcow2(4n, 'noble'),
  },
  '/own/windows.qcow2': { algorithm: 'sha256', sums: 'SHA256SUMS', bytes: qcow2(20n, 'windows') },
  '/own/page.qcow2': {
    algorithm: 'sha256',
    sums: 'SHA256SUMS',
    bytes: Buffer.from('<html>This is the page of a captive portal, not an image.</html>'),
  },
};

export interface ImageMirror {
  url: string;
  /** Paths of images that were loaded, in order. */
  readonly loaded: string[];
  /** The image of a path is another one than its checksum says. */
  spoil(path: string): void;
  sha256(path: string): string;
  close(): Promise<void>;
}

const digest = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes).digest('hex');
const nameOf = (path: string) => path.split('/').at(-1) ?? '';
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));

export async function startImageMirror(): Promise<ImageMirror> {
  const spoilt = new Set<string>();
  const loaded: string[] = [];
  const server = createServer(({ url: path = '', method }, response) => {
    const file = FILES[path];
    const listed = Object.entries(FILES).filter(([known, { sums }]) => `${folderOf(known)}/${sums}` === path);
    if (!file && listed.length === 0) return response.writeHead(404).end();
    if (!file)
      return response.end(listed.map(([known, { algorithm, bytes }]) => `${digest(algorithm, bytes)} *${nameOf(known)}\n`).join(''));
    if (method === 'GET') loaded.push(path);
    const bytes = spoilt.has(path) ? Buffer.concat([file.bytes, Buffer.from('?')]) : file.bytes;
    return response.writeHead(200, { 'content-length': bytes.length }).end(method === 'HEAD' ? undefined : bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loaded,
    spoil: (path) => void spoilt.add(path),
    sha256: (path) => digest('sha256', FILES[path]?.bytes ?? Buffer.alloc(0)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
