// An operator's commands for the hypervisor: `npm run --silent hypervisor -- prepare` makes the templates that servers are made from, `prepare-rescue` puts the rescue
// system on its nodes; others are for its clusters.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withSubgraph } from '#platform/command.ts';
import { composition } from '../composition.ts';
import { CLUSTER_OPTIONS, CLUSTER_USAGE, runClusterCommand } from './clusters.ts';
import { prepareTemplates } from '../machines/services/prepare-templates.ts';
import { prepareRescue } from '../machines/services/prepare-rescue.ts';
import { compute } from '../subgraph.ts';

const USAGE = `Usage: npm run --silent hypervisor -- prepare [IMAGE ...] [options]
  makes what is missing of the templates of these images, by default of all that their publishers offer; can be run again at any time
  --cluster NAME           in this cluster alone
  --node NODE              on this node alone; several times: on these
  --storage NAME           the storage for their disks
  --import-storage NAME    the storage that images are loaded to
  --url URL --checksum X   an image of your own, in qcow2, for the one IMAGE; its SHA-256 or SHA-512
       npm run --silent hypervisor -- prepare-rescue FILE.iso [--cluster NAME] [--node NODE]
  puts the rescue system, which npm run --silent live-image makes, on every node that lacks it or has another one
${CLUSTER_USAGE}`;
const word = { type: 'string' } as const;
const OPTIONS_OF_CLUSTERS = Object.fromEntries(CLUSTER_OPTIONS.map((option) => [option, word])) as Record<
  (typeof CLUSTER_OPTIONS)[number],
  typeof word
>;

const PACE_MS = 1_000;

await withSubgraph(compute, composition, async (ctx, refuse) => {
  const { values, positionals } = read(process.argv.slice(2), refuse);
  const [command, ...images] = positionals;
  const { cluster, node: nodes = [], storage: disks, 'import-storage': store, url, checksum, ...words } = values;
  const said = images.length < 2 && (await runClusterCommand(ctx, command ?? '', { name: images[0], words: { ...words, url }, refuse }));
  if (said) return void process.stdout.write(`${said}\n`);
  const surroundings = { say: (line: string) => void process.stdout.write(`${line}\n`), pause: () => sleep(PACE_MS) };
  const [file] = images;
  if (command === 'prepare-rescue' && file !== undefined && images.length === 1) {
    const problems = await prepareRescue(ctx, file, { cluster, nodes }, surroundings);
    if (problems.length > 0) throw refuse(problems.join('\n'));
    return;
  }
  const isOwn = url !== undefined && checksum !== undefined && images.length === 1;
  if (command !== 'prepare' || ((url ?? checksum) !== undefined && !isOwn)) throw refuse(USAGE);
  const problems = await prepareTemplates(
    ctx,
    { images, cluster, nodes, disks, store, ...(isOwn && { own: { url, checksum } }) },
    surroundings,
  );
  if (problems.length > 0) throw refuse(problems.join('\n'));
});

function read(args: string[], refuse: (sentence: string) => Error) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        ...OPTIONS_OF_CLUSTERS,
        cluster: word,
        node: { ...word, multiple: true },
        storage: word,
        'import-storage': word,
        checksum: word,
      },
    });
  } catch (error) {
    throw refuse(`${(error as Error).message}\n${USAGE}`);
  }
}
