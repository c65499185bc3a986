// The certificate with which PayPal signs its webhooks: an RSA key of 2048 bits and an X.509 certificate, made at their first use. Node can generate keys and read
// certificates but cannot make them: this is the small part of DER that one needs (RFC 5280).
import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SigningCertificate {
  /** The last part of its URL. */
  id: string;
  pem: string;
  sign(text: string): string;
}

/** The name in PayPal's own certificate, which its verification libraries expect. */
const SUBJECT = 'messageverificationcerts.paypal.com';

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const NULL = der(0x05);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
/** sha256WithRSAEncryption, 1.2.840.113549.1.1.11 */
const ALGORITHM = sequence(oid('2a864886f70d01010b'), NULL);
/** commonName, 2.5.4.3 */
const NAME = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(SUBJECT)))));
/** GeneralizedTime */
const time = (at: Date): Buffer => der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));

const pemOf = (body: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${body.toString('base64').replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;

/** A self-signed certificate that is valid from `from` to `to`. */
export function makeCertificate(from: Date, to: Date): SigningCertificate {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const serial = randomBytes(8);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), serial),
    ALGORITHM,
    NAME,
    sequence(time(from), time(to)),
    NAME,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', body, privateKey);
  const pem = pemOf(sequence(body, ALGORITHM, der(0x03, Buffer.from([0]), signature)));
  return {
    id: `CERT-360caa42-fca2a594-${serial.toString('hex').slice(0, 8)}`,
    pem,
    sign: (text) => sign('sha256', Buffer.from(text), privateKey).toString('base64'),
  };
}
