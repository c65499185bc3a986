// The peer of `docs`: a server that sends the bytes of one answer, as they came once from FROM with its headers, from memory.
import { createServer } from 'node:http';
import { request } from 'undici';

const { headers, body } = await request(process.env['FROM'] ?? '', { headers: { 'accept-encoding': 'br' } });
const bytes = Buffer.from(await body.arrayBuffer());
const sent = Object.fromEntries(
  Object.entries(headers).filter(([name]) => !['connection', 'date', 'keep-alive', 'transfer-encoding'].includes(name)),
) as Record<string, string>;
createServer((_request, response) => response.writeHead(200, sent).end(bytes)).listen(Number(process.env['PORT']), '127.0.0.1', () =>
  process.send?.({}),
);
process.on('SIGTERM', () => process.exit(0));
