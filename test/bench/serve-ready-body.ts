// The peer of `generate`: a server that stringifies and sends 10,000 prepared lines.
import { createServer } from 'node:http';

const lines = Array.from(
  { length: 10_000 },
  (_, index) => `localhost:7777:k3v9x2m4q7-country-de-session-${10_000_000 + index}-sessionttl-60:Zk3mQ9xV7bT1nR5cW8yL2p`,
);
createServer((_request, response) => {
  const body = Buffer.from(
    JSON.stringify({ statusCode: 200, data: { proxies: lines, count: lines.length }, message: 'OK', success: true, error: null }),
  );
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length }).end(body);
}).listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.({}));
process.on('SIGTERM', () => process.exit(0));
