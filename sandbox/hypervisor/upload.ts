// Uploads of files to a storage. Sources: pve-http-server 5.1, PVE/APIServer/AnyEvent.pm, file_upload_multipart: the parts come in one order, each with its
// Content-Disposition first, and the file is the last, named `filename`; process_header: no chunks. pve-storage 9.1.7, PVE/API2/Storage/Status.pm, upload: a file of
// the same name is replaced, and the checksum is looked at in the task.
import { createHash } from 'node:crypto';
import { type Call, Refusal } from './call.ts';
import type { HypervisorState, StoredFile } from './state.ts';

const FIELDS = ['content', 'checksum-algorithm', 'checksum'];

export interface Upload {
  given: Record<string, string>;
  bytes: Buffer;
}

/** The parts of a request to upload. */
export async function readUpload(headers: Headers, body: () => Promise<ArrayBuffer>): Promise<Upload> {
  if (headers.get('transfer-encoding') !== null) throw new Refusal('chunked transfer encoding not supported', 501);
  const boundary = /^multipart\/form-data;.*\bboundary=(\S+?)\s*$/.exec(headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined || headers.get('content-length') === null)
    throw new Refusal(`upload 'Content-Type '${headers.get('content-type')}' not implemented`);
  const bytes = Buffer.from(await body());
  const delimiter = `--${boundary}\r\n`;
  let rest = bytes.toString('latin1');
  const given: Record<string, string> = {};
  for (const field of FIELDS) {
    const head = `${delimiter}Content-Disposition: form-data; name="${field}"`;
    const ends = rest.indexOf(delimiter, delimiter.length);
    if (!rest.startsWith(head) || ends < 0) continue;
    given[field] = rest.slice(rest.indexOf('\r\n\r\n') + 4, ends).trim();
    rest = rest.slice(ends);
  }
  const file = /^Content-Disposition: form-data; name="filename"; filename="([^"]+)"\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(
    rest.startsWith(delimiter) ? rest.slice(delimiter.length) : '',
  );
  const end = rest.lastIndexOf(`\r\n--${boundary}--`);
  if (!file || end < 0) throw new Refusal('upload failed', 501);
  given['filename'] = file[1] ?? '';
  const from = bytes.length - rest.length + delimiter.length + file[0].length;
  return { given, bytes: bytes.subarray(from, bytes.length - rest.length + end) };
}

/** What comes of an upload in its task. */
export function fileOf(
  state: HypervisorState,
  call: Call,
  storage: string,
  volid: string,
  bytes: Buffer,
): StoredFile | { failure: string } {
  const { checksum, 'checksum-algorithm': algorithm } = call.given;
  const node = call.path['node'] ?? '';
  const digest = createHash(algorithm ?? 'sha256')
    .update(bytes)
    .digest('hex');
  if (checksum !== undefined && checksum.toLowerCase() !== digest)
    return { failure: `checksum mismatch: got '${digest}' != expect '${checksum}'` };
  if (state.full.includes(`${node}/${storage}`)) return { failure: `import failed: command '/usr/bin/scp' failed: exit code 1` };
  return { volid, node, size: bytes.length, digest, gigabytes: 0 };
}
