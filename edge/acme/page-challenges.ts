// Answers http-01 on a port of its own, which is open while a challenge is: RFC 8555, 8.3.
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { Proof } from './order.ts';

const PATH = '/.well-known/acme-challenge/';

export interface Place {
  address: string;
  port: number;
}

export class PageChallenges {
  readonly #places: readonly Place[];
  readonly #answers = new Map<string, string>();
  #servers: Server[] = [];

  constructor(places: readonly Place[]) {
    this.#places = places;
  }

  /** Without proofs the ports are closed. Rejects when one is taken. */
  async show(proofs: readonly Proof[]): Promise<void> {
    this.#answers.clear();
    for (const { token, keyAuthorization } of proofs) this.#answers.set(PATH + token, keyAuthorization);
    if (proofs.length === 0) return this.close();
    if (this.#servers.length > 0) return;
    for (const { address, port } of this.#places) {
      const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
        const answer = this.#answers.get(request.url ?? '');
        response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/octet-stream', connection: 'close' });
        response.end(answer);
      });
      this.#servers.push(server);
      await once(server.listen(port, address), 'listening');
    }
  }

  async close(): Promise<void> {
    const closing = this.#servers.splice(0).map(
      (server) =>
        new Promise<void>((done) => {
          server.close(() => done());
          server.closeAllConnections();
        }),
    );
    await Promise.all(closing);
  }
}
