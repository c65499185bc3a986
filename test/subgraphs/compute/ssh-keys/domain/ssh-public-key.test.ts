import { describe, expect, test } from 'vitest';
import { parseSshPublicKey } from '../../../../../subgraphs/compute/ssh-keys/domain/ssh-public-key.ts';

/** Keys made by ssh-keygen of OpenSSH 9.2, with what `ssh-keygen -l` prints for each. */
const MADE = [
  [
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGXkciLHURqLACAo5i43AZ4pzUaSMZ5jhfZe2bbf9zBo',
    'SHA256:UBDWtdQvOAf7/eK1xjQ1EEcamOH56wW2kfGWj0k2iM8',
  ],
  [
    'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDBpDEWG9VF7QmC+3i4Vfq2Tq3X6JNo3AWUZPrHa9oHH7WPAB3XXJAluAmMaGlPrC2YE7kWDqVehmOeDgqU4I6q66Z8BjdpgV0dAaebGmWebBqBxI8sbeylt8AlUa323MSAFBlCGo/0hZPi5ukYSkh1+/bo4v9YtcRqbjVRs8V7rw==',
    'SHA256:qcWYofKzyOAl4farpAWIcDj80hpUHxSg9yRllSGcqvo',
  ],
  [
    'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBGGSBKLgqnZpc0QqoOhuwD6HZH7QT1WhYDwUOLc+xeAbyRdDT8jWcfIpbIrCMszpadMMrhqFd83tm2XfucEuGLU=',
    'SHA256:QvghZ2Jxw+XG5DS+de2oSWUS1e9Z7qi4NLrb5bPaGnk',
  ],
  [
    'ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBN/JsL8P6ipFzECu4z2hyCQoaFAQ4SxqpjD42ILgB0xgzxOuV7ahBac62RJlBgwyxXneuBswoWkgDDBhMftDSFa7lo8Fj+wsRIXpbpH3fqF2Fsh+mZv7zzt9iVhU0nQl/Q==',
    'SHA256:yHdPk6Y7hNgT1i45I6ZSvv02FARXx8WjuZCLaXYiJEI',
  ],
  [
    'ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBABM2AJNX6RKuN6jqnTLLEiIx195hFQ5L9YZ3dtFF6MT8FMiZrViDhAVTNZnFqWUTge12lZlx1lGOiIGgpV970QetgEbuCXru1B7xf/pPLrDIy5hrxtZe5ltxPVOvk0txBw5hMj4JoC0xxTPdEK4S2hMHBBpwUzP+4WQEwicItzKgq3c0A==',
    'SHA256:/v9BNgNMQhUpmtUXnFTP0zr7752yGpN9LOwQpKuJh5o',
  ],
] as const;
const [[ED25519]] = MADE;

const field = (bytes: Buffer | string) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(bytes));
  return Buffer.concat([length, Buffer.from(bytes)]);
};
const keyOf = (type: string, ...fields: (Buffer | string)[]) => `${type} ${Buffer.concat([type, ...fields].map(field)).toString('base64')}`;

describe('a line is a public key', () => {
  test.each(MADE)('of OpenSSH, with the fingerprint that it prints: %s', (line, fingerprint) => {
    expect(parseSshPublicKey(`${line} ada@laptop`)).toEqual({ line: `${line} ada@laptop`, comment: 'ada@laptop', fingerprint });
  });

  test('also one on a security key, and one without a comment', () => {
    const lines = [
      keyOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 7), 'ssh:'),
      keyOf('sk-ecdsa-sha2-nistp256@openssh.com', 'nistp256', Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]), 'ssh:'),
    ];
    expect(lines.map((line) => parseSshPublicKey(` ${line}\n`)?.line)).toEqual(lines);
    expect(parseSshPublicKey(lines[0] ?? '')?.comment).toBe('');
  });
});

test.each([
  ['nothing', ''],
  ['a key of a type that OpenSSH has given up', `ssh-dss ${'A'.repeat(68)}`],
  ['letters that are no key, which OpenSSH would pass over', `ssh-ed25519 ${'A'.repeat(68)} me@example`],
  ['a key that ends too early, as one that was copied in part', ED25519.slice(0, -4)],
  ['a key with something behind it', `${ED25519}AAAA`],
  ['a key under the name of another type', ED25519.replace('ssh-ed25519 ', 'ssh-rsa ')],
  ['an RSA key that is too short for sshd', keyOf('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.alloc(96, 0xff))],
  ['a point that is not on a curve of that size', keyOf('ecdsa-sha2-nistp256', 'nistp256', Buffer.alloc(65, 2))],
  ['two keys', `${ED25519} a\n${ED25519} b`],
  ['options before the key, which would run a command', `command="id" ${ED25519}`],
  ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
])('%s is no public key', (_what, line) => {
  expect(parseSshPublicKey(line)).toBeUndefined();
});
