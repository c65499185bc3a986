// Documents of clients are read over real TLS, from addresses that are judged first.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocumentFetch, toClientMetadata } from '../../../../subgraphs/accounts/apps/doors/client-metadata.ts';
import { certify } from '../../../kit/certificate.ts';

const NAME = 'assistant.example';
const directory = mkdtempSync(join(tmpdir(), 'egress-client-'));
const trusted = getCACertificates('default');
let server: Server;
let url: (path: string) => string;

beforeAll(async () => {
  const { certFile, keyFile } = certify(directory, NAME);
  const cert = readFileSync(certFile, 'utf8');
  setDefaultCACertificates([...trusted, cert]);
  server = createServer({ cert, key: readFileSync(keyFile) }, (request, response) => {
    const document = { client_id: `https://${NAME}${request.url}`, client_name: 'Assistant', redirect_uris: ['http://localhost/callback'] };
    if (request.url === '/elsewhere') response.writeHead(302, { location: 'https://127.0.0.1/' }).end();
    else response.end(request.url === '/long' ? 'x'.repeat(20_000) : JSON.stringify({ ...document, client_secret: 'given away' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = (path) => `https://${NAME}:${port}${path}`;
});
afterAll(() => {
  setDefaultCACertificates(trusted);
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true });
});

const resolve = async () => ['127.0.0.1'];
const read = createDocumentFetch({ privateNetworks: ['127.0.0.0/8'], forbiddenNetworks: [], resolve });

test('a document is read in the form that is stored: a public client, without what it should not tell', async () => {
  const answer = await read(url('/client.json'));
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      client_id: `https://${NAME}/client.json`,
      client_name: 'Assistant',
      redirect_uris: ['http://localhost/callback'],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  ]);
});

test('a name that leads to this machine, or into a private network, is not dialled', async () => {
  for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1']) {
    const guarded = createDocumentFetch({ privateNetworks: [], forbiddenNetworks: [], resolve: async () => ['192.0.43.7', address] });
    await expect(guarded(url('/client.json')), address).rejects.toThrow('not on the public internet');
  }
});

test('a redirect is not followed, and a document of more than 10 kB is not read', async () => {
  expect((await read(url('/elsewhere'))).status).toBe(302);
  await expect(read(url('/long'))).rejects.toThrow('too long');
});

test('what a client says of itself is bounded', () => {
  const many = Array.from({ length: 30 }, (_, index) => `https://app.example/${index}`);
  const given = {
    redirect_uris: [...many, 7],
    client_name: 'n'.repeat(200),
    client_uri: 'javascript:alert(1)',
    token_endpoint_auth_method: 'private_key_jwt',
  };
  expect(toClientMetadata(given)).toEqual({
    client_name: 'n'.repeat(80),
    redirect_uris: many.slice(0, 10),
    application_type: 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
});
