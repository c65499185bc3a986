// All examples of the specification: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { expect, test } from 'vitest';
import { sha256, signedHeaders } from '#platform/backup/signature-v4.ts';

const KEYS = { region: 'us-east-1', keyId: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const at = new Date('2013-05-24T00:00:00Z');
const url = (rest: string) => new URL(`https://examplebucket.s3.amazonaws.com/${rest}`);
const NOTHING = sha256('');

test.each([
  [
    'GET Object',
    { method: 'GET', url: url('test.txt'), headers: { range: 'bytes=0-9' }, contentHash: NOTHING },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT Object',
    {
      method: 'PUT',
      url: url('test%24file.text'),
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      contentHash: sha256('Welcome to Amazon S3.'),
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'GET Bucket Lifecycle',
    { method: 'GET', url: url('?lifecycle'), contentHash: NOTHING },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'GET Bucket (List Objects)',
    { method: 'GET', url: url('?max-keys=2&prefix=J'), contentHash: NOTHING },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])('%s is signed as the page says', (_, request, signature) => {
  const { authorization } = signedHeaders({ ...request, at }, KEYS);
  expect(authorization.split('Signature=')[1]).toBe(signature);
});
