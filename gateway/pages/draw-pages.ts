// A thread that draws the dashboard's public pages in one language and then ends. Texts are chosen when a module is first loaded, so each language needs modules of its own, and the gateway keeps none of them in memory.
import { parentPort, workerData } from 'node:worker_threads';

export interface Drawing {
  /** The server module of the dashboard's build, as a file URL. */
  server: string;
  origin: string;
  paths: readonly string[];
  language: string;
  installation: object;
}

export interface DrawnPage {
  path: string;
  html: string;
  /** Content-Security-Policy with the hashes of the page's own scripts. */
  policy: string;
}

interface PageServer {
  init(options: { env: Record<string, string> }): Promise<void>;
  respond(request: Request, options: { getClientAddress(): string }): Promise<Response>;
}

const { server: module, origin, paths, language, installation } = workerData as Drawing;
Object.assign(globalThis, { pageLanguage: language, installation });
const { server } = (await import(module)) as { server: PageServer };
await server.init({ env: {} });
const pages: DrawnPage[] = [];
for (const path of paths) {
  const answer = await server.respond(new Request(origin + path), { getClientAddress: () => '127.0.0.1' });
  if (answer.status !== 200) throw new Error(`The page ${path} was drawn with status ${answer.status}.`);
  pages.push({ path, html: await answer.text(), policy: answer.headers.get('content-security-policy') ?? '' });
}
parentPort?.postMessage(pages);
