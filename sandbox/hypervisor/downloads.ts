// Downloads of images to a storage: really fetched, hashed and looked into. Source: pve-common 9.2.1, PVE/Tools.pm, download_file_from_url; pve-storage 9.1.7,
// PVE/API2/Storage/Status.pm, download_url. `wget` ends with 3 when it cannot write, 4 when nobody answers, 8 when the answer is an error.
import { createHash } from 'node:crypto';
import { type DownloadEffect, type HypervisorState, RESCUE_IMAGE, type StoredFile } from './state.ts';

const GB = 1_073_741_824;
/** The header of a qcow2 image has its magic bytes first, and the size of the disk at byte 24: QEMU, docs/interop/qcow2. */
const MAGIC = 'QFI\u{fb}';
const HEADER_BYTES = 32;

export const fileKey = (node: string, volid: string): string => `${node}/${volid}`;

/** Whether a node has an ISO image: the one for rescue is there unless it is said to lack. */
export const hasMedium = (state: HypervisorState, node: string, volid: string): boolean =>
  state.files[fileKey(node, volid)] !== undefined || (volid === RESCUE_IMAGE && !state.lacking?.includes(RESCUE_IMAGE));

/** Downloads that have begun: several requests may wait for one. */
const underWay = new WeakMap<DownloadEffect, Promise<StoredFile | { failure: string }>>();

/** Downloads what is due, before its task ends. */
export async function fetchDue(state: HypervisorState, now: number): Promise<void> {
  for (const { effect, exitstatus, endsAt } of Object.values(state.tasks)) {
    if (effect.kind !== 'download' || effect.outcome || exitstatus !== null || endsAt > now) continue;
    const begun = underWay.get(effect) ?? download(state, effect);
    underWay.set(effect, begun);
    effect.outcome = await begun;
  }
}

async function download(state: HypervisorState, effect: DownloadEffect): Promise<StoredFile | { failure: string }> {
  const { node, storage, volid, url, checksum, algorithm } = effect;
  const there = state.files[fileKey(node, volid)];
  const name = volid.slice(volid.indexOf('/') + 1);
  if (there && checksum === undefined) return { failure: `refusing to override existing file '${name}'` };
  if (there)
    return there.digest === checksum?.toLowerCase()
      ? there
      : { failure: `checksum mismatch: got '${there.digest}' != expect '${checksum}', aborting` };
  const wget = (code: number) => ({
    failure: `download failed: command 'wget --progress=dot:giga -O ${name}.tmp_dwnl.1 ${url}' failed: exit code ${code}`,
  });
  if (state.full.includes(`${node}/${storage}`)) return wget(3);
  const answer = await fetch(url).catch(() => undefined);
  if (!answer) return wget(4);
  if (answer.status !== 200 || !answer.body) return wget(8);
  const hash = createHash(algorithm ?? 'sha256');
  let [size, header] = [0, Buffer.alloc(0)];
  for await (const bytes of answer.body) {
    hash.update(bytes);
    size += bytes.length;
    if (header.length < HEADER_BYTES) header = Buffer.concat([header, bytes]);
  }
  const digest = hash.digest('hex');
  if (checksum !== undefined && digest !== checksum.toLowerCase())
    return { failure: `checksum mismatch: got '${digest}' != expect '${checksum}'` };
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC)
    return { failure: `failed to verify file: qemu-img: Could not open '${name}': Image is not in qcow2 format` };
  return { volid, node, size, digest, gigabytes: Number(header.readBigUInt64BE(24)) / GB };
}
