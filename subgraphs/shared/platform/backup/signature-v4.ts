// How requests to S3 and what speaks like it are signed: AWS Signature Version 4, in a header.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { createHash, createHmac } from 'node:crypto';

export interface StoreKeys {
  region: string;
  keyId: string;
  secret: string;
}

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** As RFC 3986 says it, which leaves fewer characters alone than encodeURIComponent. */
export const uriEncoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

export interface Signed {
  method: string;
  /** Its path and query are encoded already. */
  url: URL;
  /** Further headers, in lower case, that are signed too. */
  headers?: Readonly<Record<string, string>>;
  /** Of the body, hexadecimal. */
  contentHash: string;
  at: Date;
}

/** The headers of a request, with those that were given. */
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
