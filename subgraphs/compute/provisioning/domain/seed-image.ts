// A small ISO 9660 image with Joliet names (ECMA-119, and Microsoft's extension for names that ISO does not allow), which a controller can insert as a medium
// and every installer can read. It has one directory of text files. Every request makes it again with the same bytes, since controllers read a medium in
// pieces.
const SECTOR = 2_048;
/** Sectors: system area, primary and Joliet descriptors and terminator; then four path tables, two directories, and the files. */
const PATHS_AT = 19;
const ROOT_AT = 23;
const JOLIET_ROOT_AT = 24;
const FILES_AT = 25;

const both16 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt16LE(value, 0);
  buffer.writeUInt16BE(value, 2);
  return buffer;
};
const both32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeUInt32LE(value, 0);
  buffer.writeUInt32BE(value, 4);
  return buffer;
};
const ucs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const spaces = (text: string, length: number): Buffer => Buffer.from(text.padEnd(length).slice(0, length), 'latin1');
const wideSpaces = (text: string, length: number): Buffer => Buffer.concat([ucs2(text.padEnd(length / 2)), Buffer.alloc(length % 2)]);

/** 1 January 1980: a fixed date keeps the image the same. */
const RECORDED = Buffer.from([80, 1, 1, 0, 0, 0, 0]);
const NEVER = Buffer.concat([Buffer.alloc(16, '0'), Buffer.from([0])]);

function record(name: Buffer, sector: number, size: number, isDirectory: boolean): Buffer {
  const length = 33 + name.length + (name.length % 2 === 0 ? 1 : 0);
  return Buffer.concat(
    [
      ...[Buffer.from([length, 0]), both32(sector), both32(size), RECORDED, Buffer.from([isDirectory ? 2 : 0, 0, 0]), both16(1)],
      ...[Buffer.from([name.length]), name, Buffer.alloc(length)],
    ],
    length,
  );
}

interface Placed {
  name: string;
  body: Buffer;
  sector: number;
}

/** ISO's own names have eight and three letters or digits; nobody reads these. */
const shortName = (index: number): Buffer => Buffer.from(`FILE${index}.TXT;1`, 'latin1');

function directory(at: number, files: readonly Placed[], nameOf: (file: Placed, index: number) => Buffer): Buffer {
  const self = record(Buffer.from([0]), at, SECTOR, true);
  const parent = record(Buffer.from([1]), at, SECTOR, true);
  const named = files.map((file, index) => ({ file, name: nameOf(file, index) })).toSorted((one, other) => one.name.compare(other.name));
  return Buffer.concat([self, parent, ...named.map(({ file, name }) => record(name, file.sector, file.body.length, false))]);
}

function pathTable(rootAt: number, endian: 'LE' | 'BE'): Buffer {
  const table = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  if (endian === 'LE') {
    table.writeUInt32LE(rootAt, 2);
    table.writeUInt16LE(1, 6);
  } else {
    table.writeUInt32BE(rootAt, 2);
    table.writeUInt16BE(1, 6);
  }
  return table;
}

function descriptor(joliet: boolean, label: string, sectors: number): Buffer {
  const text = joliet ? wideSpaces : spaces;
  const [rootAt, pathsAt] = joliet ? [JOLIET_ROOT_AT, PATHS_AT + 2] : [ROOT_AT, PATHS_AT];
  const pathsLE = Buffer.alloc(8);
  pathsLE.writeUInt32LE(pathsAt, 0);
  const pathsBE = Buffer.alloc(8);
  pathsBE.writeUInt32BE(pathsAt + 1, 0);
  const parts = [
    ...[Buffer.from([joliet ? 2 : 1]), Buffer.from('CD001'), Buffer.from([1, 0])],
    ...[text('', 32), text(label, 32), Buffer.alloc(8), both32(sectors)],
    // This escape sequence stands for Joliet, level 3.
    ...[Buffer.concat([Buffer.from(joliet ? '%/E' : ''), Buffer.alloc(32)], 32), both16(1), both16(1), both16(SECTOR), both32(10)],
    ...[pathsLE, pathsBE, record(Buffer.from([0]), rootAt, SECTOR, true)],
    ...[text('', 128), text('', 128), text('', 128), text('', 128), text('', 37), text('', 37), text('', 37)],
    ...[NEVER, NEVER, NEVER, NEVER, Buffer.from([1, 0])],
  ];
  return Buffer.concat(parts);
}

/** Makes an image with this label (up to 11 capital letters) and these files, name -> text. Names have at most 64 characters. */
export function seedImage(label: string, files: Readonly<Record<string, string>>): Buffer {
  const placed: Placed[] = [];
  let sector = FILES_AT;
  for (const [name, text] of Object.entries(files)) {
    const body = Buffer.from(text);
    placed.push({ name, body, sector });
    sector += Math.max(1, Math.ceil(body.length / SECTOR));
  }
  const image = Buffer.alloc(sector * SECTOR);
  const put = (at: number, content: Buffer) => void content.copy(image, at * SECTOR);
  put(16, descriptor(false, label, sector));
  put(17, descriptor(true, label, sector));
  put(18, Buffer.concat([Buffer.from([255]), Buffer.from('CD001'), Buffer.from([1])]));
  put(PATHS_AT, pathTable(ROOT_AT, 'LE'));
  put(PATHS_AT + 1, pathTable(ROOT_AT, 'BE'));
  put(PATHS_AT + 2, pathTable(JOLIET_ROOT_AT, 'LE'));
  put(PATHS_AT + 3, pathTable(JOLIET_ROOT_AT, 'BE'));
  put(
    ROOT_AT,
    directory(ROOT_AT, placed, (_file, index) => shortName(index)),
  );
  put(
    JOLIET_ROOT_AT,
    directory(JOLIET_ROOT_AT, placed, ({ name }) => ucs2(name)),
  );
  for (const { body, sector: at } of placed) put(at, body);
  return image;
}
