// What a node keeps of its certificate and of the account that ordered it, in a folder that nobody else reads. Each file is replaced as a whole: certificate and
// key are one, so that a crash leaves no key without its certificate.
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';

const ACCOUNT = z.object({ directory: z.string(), key: z.string() });
const ORDERS = z.object({ failures: z.number(), triedAt: z.iso.datetime().transform((text) => new Date(text)) });

export type Account = z.infer<typeof ACCOUNT>;
/** Of orders since the last that succeeded. */
export type Orders = z.infer<typeof ORDERS>;

export interface Kept {
  validFrom: Date;
  validTo: Date;
  /** Names and addresses. */
  names: readonly string[];
  /** PEM, the certificate first; with its key. */
  chain: string;
}

export class CertificateStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** One file has the chain and the key. */
  get files(): { certFile: string; keyFile: string } {
    const file = join(this.#folder, 'certificate.pem');
    return { certFile: file, keyFile: file };
  }

  /** Undefined: there is none that could be used. */
  certificate(): Kept | undefined {
    return this.#read('certificate.pem', (text) => {
      createSecureContext({ cert: text, key: text });
      const { validFromDate, validToDate, subjectAltName = '' } = new X509Certificate(text);
      const names = subjectAltName.split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, '').toLowerCase());
      return { validFrom: validFromDate, validTo: validToDate, names, chain: text };
    });
  }

  keepCertificate(chain: string, key: string): void {
    createSecureContext({ cert: chain, key });
    this.#write('certificate.pem', `${key}${chain}`);
  }

  account(): Account | undefined {
    return this.#read('account.json', (text) => ACCOUNT.parse(JSON.parse(text)));
  }

  keepAccount(account: Account): void {
    this.#write('account.json', JSON.stringify(account));
  }

  orders(): Orders | undefined {
    return this.#read('orders.json', (text) => ORDERS.parse(JSON.parse(text)));
  }

  keepOrders({ failures, triedAt }: Orders): void {
    this.#write('orders.json', JSON.stringify({ failures, triedAt: triedAt.toISOString() }));
  }

  /** A file that is missing or cannot be understood is made anew. */
  #read<Read>(name: string, understand: (text: string) => Read): Read | undefined {
    try {
      return understand(readFileSync(join(this.#folder, name), 'utf8'));
    } catch {
      return undefined;
    }
  }

  #write(name: string, text: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = join(this.#folder, name);
    writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  }
}
