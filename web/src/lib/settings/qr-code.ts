// A text as a QR code (ISO/IEC 18004), byte mode, error correction level L: for the address that an authenticator app scans. Versions 1 to 20, 858 bytes.

/** Codewords of correction per block, and blocks, by version at level L (ISO/IEC 18004, table 9). */
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];
const LEVEL_L = 1;

/** Rows of modules, true is dark. Throws RangeError for a text that is too long. */
export function qrCode(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version = CORRECTION.findIndex((_, index) => dataCodewords(index + 1) * 8 >= 4 + (index < 9 ? 8 : 16) + bytes.length * 8) + 1;
  if (version === 0) throw new RangeError(`A QR code of this size holds no ${bytes.length} bytes.`);
  const codewords = interleave(toCodewords(bytes, version), version);
  const { modules, fixed } = frame(version);
  place(modules, fixed, codewords);
  const candidates = MASKS.map((mask, number) => {
    const masked = modules.map((row, y) => row.map((dark, x) => (fixed[y]?.[x] ? dark : dark !== mask(x, y))));
    format(masked, number);
    return masked;
  });
  return candidates.reduce((best, next) => (penalty(next) < penalty(best) ? next : best));
}

const sizeOf = (version: number) => version * 4 + 17;

/** Modules that carry data, in bits. */
function rawModules(version: number): number {
  let count = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const aligned = Math.floor(version / 7) + 2;
    count -= (25 * aligned - 10) * aligned - 55;
    if (version >= 7) count -= 36;
  }
  return count;
}
const rawCodewords = (version: number) => Math.floor(rawModules(version) / 8);
const dataCodewords = (version: number) => rawCodewords(version) - at(CORRECTION, version - 1) * at(BLOCKS, version - 1);

function at<Item>(items: ArrayLike<Item>, index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError(`No item ${index}.`);
  return item;
}

function toCodewords(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >>> bit) & 1);
  };
  push(0b0100, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  const capacity = dataCodewords(version) * 8;
  push(0, Math.min(4, capacity - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) push(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, index) => bits.slice(index * 8, index * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0));
}

/** The product in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(x: number, y: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((y >>> bit) & 1) * x;
  }
  return product;
}

function divisorOf(degree: number): number[] {
  const result = [...Array.from({ length: degree - 1 }, () => 0), 1];
  let root = 1;
  for (let round = 0; round < degree; round++) {
    for (let index = 0; index < degree; index++) result[index] = multiply(at(result, index), root) ^ (result[index + 1] ?? 0);
    root = multiply(root, 2);
  }
  return result;
}

function correctionOf(data: readonly number[], divisor: readonly number[]): number[] {
  const rest = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    divisor.forEach((coefficient, index) => (rest[index] = at(rest, index) ^ multiply(coefficient, factor)));
  }
  return rest;
}

/** Splits into blocks, adds each one's correction, and takes a codeword of each in turn. */
function interleave(data: readonly number[], version: number): number[] {
  const blocks = at(BLOCKS, version - 1);
  const correction = at(CORRECTION, version - 1);
  const raw = rawCodewords(version);
  const short = blocks - (raw % blocks);
  const shortLength = Math.floor(raw / blocks) - correction;
  const divisor = divisorOf(correction);
  let from = 0;
  const parts = Array.from({ length: blocks }, (_, index) => {
    const part = data.slice(from, (from += shortLength + (index < short ? 0 : 1)));
    return { part, check: correctionOf(part, divisor) };
  });
  const turns = (length: number, pick: (index: number) => (number | undefined)[]) =>
    Array.from({ length }, (_, index) => pick(index).filter((word) => word !== undefined)).flat();
  return [
    ...turns(shortLength + 1, (index) => parts.map(({ part }) => part[index])),
    ...turns(correction, (index) => parts.map(({ check }) => check[index])),
  ];
}

type Grid = boolean[][];
const grid = (size: number): Grid => Array.from({ length: size }, () => Array.from({ length: size }, () => false));
const set = (modules: Grid, x: number, y: number, dark: boolean) => (at(modules, y)[x] = dark);

/** The patterns that every code of this version has; `fixed` marks where no data goes. */
function frame(version: number): { modules: Grid; fixed: Grid } {
  const size = sizeOf(version);
  const modules = grid(size);
  const fixed = grid(size);
  const draw = (x: number, y: number, dark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    set(modules, x, y, dark);
    set(fixed, x, y, true);
  };
  for (let index = 0; index < size; index++) {
    draw(6, index, index % 2 === 0);
    draw(index, 6, index % 2 === 0);
  }
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    for (let dy = -4; dy <= 4; dy++)
      for (let dx = -4; dx <= 4; dx++) {
        const distance = Math.max(Math.abs(dx), Math.abs(dy));
        draw(cx + dx, cy + dy, distance !== 2 && distance !== 4);
      }
  const places = alignmentPlaces(version);
  places.forEach((cx, i) =>
    places.forEach((cy, j) => {
      const last = places.length - 1;
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) return;
      for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) draw(cx + dx, cy + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }),
  );
  for (let index = 0; index < 9; index++) {
    set(fixed, 8, index, true);
    set(fixed, index, 8, true);
    if (index < 8) {
      set(fixed, size - 1 - index, 8, true);
      set(fixed, 8, size - 1 - index, true);
    }
  }
  if (version >= 7) {
    let rest = version;
    for (let round = 0; round < 12; round++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let index = 0; index < 18; index++) {
      const [a, b] = [size - 11 + (index % 3), Math.floor(index / 3)];
      draw(a, b, ((bits >>> index) & 1) === 1);
      draw(b, a, ((bits >>> index) & 1) === 1);
    }
  }
  return { modules, fixed };
}

function alignmentPlaces(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => sizeOf(version) - 7 - index * step).toReversed()];
}

/** In columns of two from the right, up and down in turn. */
function place(modules: Grid, fixed: Grid, codewords: readonly number[]): void {
  const size = modules.length;
  let index = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const upward = ((right + 1) & 2) === 0;
    for (let vertical = 0; vertical < size; vertical++)
      for (const x of [right, right - 1]) {
        const y = upward ? size - 1 - vertical : vertical;
        if (fixed[y]?.[x] || index >= codewords.length * 8) continue;
        set(modules, x, y, ((at(codewords, index >>> 3) >>> (7 - (index & 7))) & 1) === 1);
        index++;
      }
  }
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function format(modules: Grid, mask: number): void {
  const size = modules.length;
  const data = (LEVEL_L << 3) | mask;
  let rest = data;
  for (let round = 0; round < 10; round++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  const bit = (index: number) => ((bits >>> index) & 1) === 1;
  for (let index = 0; index <= 5; index++) set(modules, 8, index, bit(index));
  set(modules, 8, 7, bit(6));
  set(modules, 8, 8, bit(7));
  set(modules, 7, 8, bit(8));
  for (let index = 9; index < 15; index++) set(modules, 14 - index, 8, bit(index));
  for (let index = 0; index < 8; index++) set(modules, size - 1 - index, 8, bit(index));
  for (let index = 8; index < 15; index++) set(modules, 8, size - 15 + index, bit(index));
  set(modules, 8, size - 8, true);
}

/** How hard a masked code is to read: runs, blocks, and an uneven share of dark. Any mask is valid; this chooses a good one. */
function penalty(modules: Grid): number {
  const size = modules.length;
  let total = 0;
  const dark = (x: number, y: number) => modules[y]?.[x] === true;
  for (let line = 0; line < size; line++)
    for (const across of [true, false]) {
      let run = 0;
      for (let step = 0; step < size; step++) {
        const same = step > 0 && (across ? dark(step, line) === dark(step - 1, line) : dark(line, step) === dark(line, step - 1));
        run = same ? run + 1 : 1;
        if (run === 5) total += 3;
        else if (run > 5) total += 1;
      }
    }
  let count = 0;
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      if (dark(x, y)) count++;
      const same = [dark(x + 1, y), dark(x, y + 1), dark(x + 1, y + 1)].every((value) => value === dark(x, y));
      if (same && x < size - 1 && y < size - 1) total += 3;
    }
  return total + Math.floor(Math.abs(count / (size * size) - 0.5) * 20) * 10;
}
