// What an ACME server reads as X.509: a certificate request (RFC 2986), and the certificate that answers tls-alpn-01 (RFC 8737, 3; RFC 8738, 6 for addresses).
import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { Extension, Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import ipaddr from 'ipaddr.js';
import { DAY, after } from '#platform/clock.ts';
import { base64url } from './account-key.ts';
import type { Proof } from './order.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** id-pe-acmeIdentifier */
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';
const OCTET_STRING = 4;

const makeKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
const toPem = async (key: CryptoKey): Promise<string> => {
  const lines = Buffer.from(await crypto.subtle.exportKey('pkcs8', key))
    .toString('base64')
    .match(/.{1,64}/g);
  return `-----BEGIN PRIVATE KEY-----\n${lines?.join('\n')}\n-----END PRIVATE KEY-----\n`;
};
const named = (names: readonly string[]) =>
  new SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value }) as const));

/** A new key, PEM, and the request of a certificate for it, DER in base64url. */
export async function requestCertificate(names: readonly string[]): Promise<{ key: string; request: string }> {
  const keys = await makeKeys();
  const request = await Pkcs10CertificateRequestGenerator.create({ keys, signingAlgorithm: ALGORITHM, extensions: [named(names)] });
  return { key: await toPem(keys.privateKey), request: base64url(Buffer.from(request.rawData)) };
}

/** The name that the server asks for in the handshake: of addresses their reverse name. */
function nameInHandshake(name: string): string {
  if (isIP(name) === 0) return name;
  if (isIPv4(name)) return `${name.split('.').toReversed().join('.')}.in-addr.arpa`;
  const digits = Buffer.from(ipaddr.parse(name).toByteArray()).toString('hex');
  return `${[...digits].toReversed().join('.')}.ip6.arpa`;
}

/** A certificate for the handshakes of a challenge. */
export interface ChallengeCertificate {
  serverName: string;
  cert: string;
  key: string;
}

export async function answerInHandshake({ name, keyAuthorization }: Proof, now: Date): Promise<ChallengeCertificate> {
  const keys = await makeKeys();
  const digest = createHash('sha256').update(keyAuthorization).digest();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=acme',
    notBefore: after(now, -DAY),
    notAfter: after(now, DAY),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [named([name]), new Extension(ACME_IDENTIFIER, true, Buffer.from([OCTET_STRING, digest.length, ...digest]))],
  });
  return { serverName: nameInHandshake(name), cert: certificate.toString('pem'), key: await toPem(keys.privateKey) };
}
