// proxy-chain, started as in its documentation, with credentials.
import { Server } from 'proxy-chain';

const server = new Server({
  port: 0,
  host: '127.0.0.1',
  prepareRequestFunction: ({ username, password }) => ({ requestAuthentication: username !== 'bench' || password !== 'bench' }),
});
await server.listen();
process.stdout.write(`${server.port}\n`);
