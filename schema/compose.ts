// `npm run compose` composes the contracts into supergraph.graphql, and prints the public API of that graph to api.graphql, to pages.graphql as the
// dashboard reads it, and the contract of events to events.txt. With `-- --publish` the API also becomes the published one, which later ones may not break, and
// publications.json says what that changed. `-- --check`
// writes nothing: it says what has changed, and exits with 1 when something must not be as it is.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock, toDay } from '#platform/clock.ts';
import { PROGRAM_VERSION } from '#platform/program-version.ts';
import { checkContracts, isFine, printReport } from './check.ts';
import { compose } from './composition.ts';
import { contractFile, publishedSdl, writtenContracts } from './contracts.ts';
import { writePrintedEvents } from './print-events.ts';
import { publicSdl } from './public-sdl.ts';
import { publications, withPublication, writePublications } from './publications.ts';

const USAGE = 'Usage: npm run compose [-- --publish | --check [--documents FOLDER ...] [--json]]';

function command(): void {
  const { values } = parseArgs({
    options: {
      publish: { type: 'boolean' },
      check: { type: 'boolean' },
      documents: { type: 'string', multiple: true },
      json: { type: 'boolean' },
    },
  });
  if (values.check ? values.publish : values.documents || values.json) throw new Error(USAGE);
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
  if (values.publish) publish(publicSdl(supergraph, 'staff'));
  writePrintedEvents();
}

/** First its history: a publication that is not there would be asked for by a test. */
function publish(after: string): void {
  const publication = { before: publishedSdl(), after, version: PROGRAM_VERSION, on: toDay(systemClock.now()) };
  writePublications(withPublication(publications(), publication));
  writeFileSync(contractFile('published'), after);
}

try {
  command();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
