// Answers tls-alpn-01 on the ports where customers speak TLS: RFC 8737. While no challenge is open, no connection is looked at.
import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket, createSecureContext } from 'node:tls';
import type { ChallengeCertificate } from './certificate-request.ts';
import { readClientHello } from './client-hello.ts';

const PROTOCOL = 'acme-tls/1';

export class HandshakeChallenges {
  readonly #patienceMs: number;
  readonly #contexts = new Map<string, SecureContext>();

  /** `patienceMs`: for the first message of a client, and for the handshake. */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  get isOpen(): boolean {
    return this.#contexts.size > 0;
  }

  /** Those of before are withdrawn. */
  set(certificates: readonly ChallengeCertificate[]): void {
    this.#contexts.clear();
    for (const { serverName, cert, key } of certificates) this.#contexts.set(serverName, createSecureContext({ cert, key }));
  }

  /** Answers a client that asks for nothing but a challenge; `others` get their connection as it came. */
  look(socket: Socket, others: () => void): void {
    let seen: Buffer = Buffer.alloc(0);
    const gone = () => socket.destroy();
    const silence = setTimeout(gone, this.#patienceMs);
    const leave = () => {
      clearTimeout(silence);
      socket.off('data', came).off('end', gone).off('error', gone).off('close', leave);
    };
    const came = (bytes: Buffer) => {
      seen = seen.length === 0 ? bytes : Buffer.concat([seen, bytes]);
      const hello = readClientHello(seen);
      if (hello === 'more') return;
      leave();
      socket.pause();
      socket.unshift(seen);
      const isChallenge = hello?.protocols.length === 1 && hello.protocols[0] === PROTOCOL;
      const context = isChallenge ? this.#contexts.get(hello.serverName ?? '') : undefined;
      if (context) this.#answer(socket, context);
      else others();
    };
    socket.on('data', came).once('end', gone).once('error', gone).once('close', leave);
  }

  /** The handshake is all that there is. RFC 8737, 3. */
  #answer(socket: Socket, secureContext: SecureContext): void {
    const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: [PROTOCOL] });
    const end = () => secure.destroy();
    const silence = setTimeout(end, this.#patienceMs);
    secure.once('secure', () => secure.end());
    secure.once('error', end).once('close', () => clearTimeout(silence));
    secure.resume();
  }
}
