// Signs requests to S3 and to stores with the same API: AWS Signature Version 4, in a header.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { createHash, createHmac } from 'node:crypto';

export interface StoreKeys {
  region: string;
  keyId: string;
  secret: string;
}

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Percent-encoding as in RFC 3986, which leaves fewer characters unencoded than encodeURIComponent. */
export const uriEncoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

export interface Signed {
  method: string;
  /** Its path and query must be encoded already. */
  url: URL;
  /** Further headers to sign, in lower case. */
  headers?: Readonly<Record<string, string>>;
  /** SHA-256 of the body, hexadecimal. */
  contentHash: string;
  at: Date;
}

/** All headers of the signed request, those that were given among them. */
export function signedHeaders({ method, url, headers = {}, contentHash, at }: Signed, { region, keyId, secret }: StoreKeys) {
  const moment = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = moment.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const all: Record<string, string> = { ...headers, host: url.host, 'x-amz-content-sha256': contentHash, 'x-amz-date': moment };
  const names = Object.keys(all).toSorted();
  const query = [...url.searchParams].map(([name, value]) => `${uriEncoded(name)}=${uriEncoded(value)}`).toSorted();
  const canonical = [
    method,
    url.pathname,
    query.join('&'),
    ...names.map((name) => `${name}:${all[name]?.trim()}`),
    '',
    names.join(';'),
    contentHash,
  ].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${secret}`);
  const signature = hmac(key as Buffer, ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n')).toString('hex');
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`,
  };
}
