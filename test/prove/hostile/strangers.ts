// A child process with loops that each send a new GraphQL document without a key as soon as the last one was answered. Ended by SIGTERM.
import { Agent, request } from 'node:http';

const [url = '', loops = '20'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const answers: Record<string, number> = {};
let asked = 0;

const document = () => {
  const name = `q${process.pid}x${++asked}`;
  const aliases = Array.from(
    { length: 29 },
    (_, index) => `${name}a${index}: server(id: "x") { id hostname ... on Vps { status } account { id email } }`,
  );
  return JSON.stringify({ query: `query ${name} { ${aliases.join(' ')} }` });
};

const ask = () =>
  new Promise<void>((resolve) => {
    const body = document();
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    request(`${url}/graphql`, { method: 'POST', agent, headers }, (response) => {
      answers[response.statusCode ?? 0] = (answers[response.statusCode ?? 0] ?? 0) + 1;
      response.resume().once('close', resolve);
    })
      .on('error', () => resolve())
      .end(body);
  });

for (let loop = 0; loop < Number(loops); loop++)
  void (async () => {
    for (;;) await ask();
  })();

process.on('SIGTERM', () => process.send?.(answers, () => process.exit(0)));
