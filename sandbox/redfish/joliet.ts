// Reads the files in the root of a disc image by their Joliet names, as an operating system does.

const SECTOR = 2_048;

/** From name to text. Throws when the image has no Joliet names. */
export function readJoliet(image: Buffer): { label: string; files: Record<string, string> } {
  let at = 16 * SECTOR;
  while (image[at] !== 2 || image.toString('latin1', at + 88, at + 91) !== '%/E') {
    if (image[at] === 255 || at + SECTOR > image.length) throw new Error('the disc has no Joliet names');
    at += SECTOR;
  }
  const wide = (from: number, to: number) => Buffer.from(image.subarray(from, to)).swap16().toString('utf16le');
  const root = at + 156;
  const [start, size] = [image.readUInt32LE(root + 2) * SECTOR, image.readUInt32LE(root + 10)];
  const files: Record<string, string> = {};
  for (let entry = start; entry < start + size;) {
    const length = image[entry] ?? 0;
    if (length === 0) break;
    const nameLength = image[entry + 32] ?? 0;
    const isDirectory = ((image[entry + 25] ?? 0) & 2) !== 0;
    if (!isDirectory) {
      const from = image.readUInt32LE(entry + 2) * SECTOR;
      files[wide(entry + 33, entry + 33 + nameLength)] = image.toString('utf8', from, from + image.readUInt32LE(entry + 10));
    }
    entry += length;
  }
  return { label: wide(at + 40, at + 72).trim(), files };
}
