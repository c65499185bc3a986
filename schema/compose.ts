// `npm run compose` composes the contracts into supergraph.graphql, and prints the public API of that graph to api.graphql, to pages.graphql as the
// dashboard reads it, and the contract of events to events.txt. With `-- --publish DAY` the API also becomes the published one, which later ones may not break, and
// publications.json says what that changed. `-- --check`
// writes nothing: it says what has changed, and exits with 1 when something must not be as it is.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkContracts, isFine, printReport } from './check.ts';
import { compose } from './composition.ts';
import { contractFile, publishedSdl, writtenContracts } from './contracts.ts';
import { writePrintedEvents } from './print-events.ts';
import { publicSdl } from './public-sdl.ts';
import { publications, withPublication, writePublications } from './publications.ts';

const USAGE = 'Usage: npm run compose [-- --publish YYYY-MM-DD | --check [--documents FOLDER ...] [--json]]';

function command(): void {
  const { values } = parseArgs({
    options: {
      publish: { type: 'string' },
      check: { type: 'boolean' },
      documents: { type: 'string', multiple: true },
      json: { type: 'boolean' },
    },
  });
  const { publish: on } = values;
  if (values.check ? on !== undefined : values.documents || values.json) throw new Error(USAGE);
  if (on !== undefined && !/^\d{4}-\d\d-\d\d$/.test(on)) throw new Error(USAGE);
  if (values.check) {
    const report = checkContracts({ folders: values.documents ?? [] });
    process.stdout.write(values.json ? `${JSON.stringify({ ok: isFine(report), ...report }, null, 2)}\n` : printReport(report));
    if (!isFine(report)) process.exitCode = 1;
    return;
  }
  const { supergraph, api, pages } = compose(writtenContracts());
  writeFileSync(contractFile('supergraph'), supergraph);
  writeFileSync(contractFile('api'), api);
  writeFileSync(contractFile('pages'), pages);
  if (on !== undefined) publish(publicSdl(supergraph, 'staff'), on);
  writePrintedEvents();
}

/** First its history: a publication that is not there would be asked for by a test. */
function publish(after: string, on: string): void {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  const publication = { before: publishedSdl(), after, version, on };
  writePublications(withPublication(publications(), publication));
  writeFileSync(contractFile('published'), after);
}

try {
  command();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
