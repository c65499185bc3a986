// The checks of a store before it does anything: who signed a request, when, and whether the body is the signed one. It reads the raw request, and shares no code with
// the product's signing. https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface BucketKeys {
  region: string;
  keyId: string;
  secret: string;
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/;
/** "Error responses": RequestTimeTooSkewed. */
const SKEW_MS = 15 * 60_000;

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** The error code for a request that is refused; undefined when it is correct. */
export function refusalOf(request: IncomingMessage, body: Buffer, keys: BucketKeys, now: Date): string | undefined {
  const found = AUTHORIZATION.exec(request.headers.authorization ?? '');
  if (!found) return 'AccessDenied';
  const [, keyId, day = '', region = '', names = '', signature] = found;
  if (keyId !== keys.keyId) return 'InvalidAccessKeyId';
  if (region !== keys.region) return 'AuthorizationHeaderMalformed';
  const signed = names.split(';');
  const moment = String(request.headers['x-amz-date'] ?? '');
  const at = Date.parse(moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (Number.isNaN(at) || !moment.startsWith(day)) return 'AccessDenied';
  if (Math.abs(now.getTime() - at) > SKEW_MS) return 'RequestTimeTooSkewed';
  if (!signed.includes('host') || Object.keys(request.headers).some((name) => name.startsWith('x-amz-') && !signed.includes(name)))
    return 'AccessDenied';
  const content = String(request.headers['x-amz-content-sha256'] ?? '');
  if (content !== hash(body)) return 'XAmzContentSHA256Mismatch';

  const [path = '', query = ''] = (request.url ?? '').split('?');
  const pairs = query
    .split('&')
    .filter(Boolean)
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`));
  const lines = [
    request.method,
    path,
    pairs.toSorted().join('&'),
    ...signed.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
  ];
  const canonical = [...lines, names, content].join('\n');
  let key: string | Buffer = `AWS4${keys.secret}`;
  for (const part of [day, region, 's3', 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
  const text = ['AWS4-HMAC-SHA256', moment, `${day}/${region}/s3/aws4_request`, hash(canonical)].join('\n');
  return createHmac('sha256', key).update(text).digest('hex') === signature ? undefined : 'SignatureDoesNotMatch';
}
