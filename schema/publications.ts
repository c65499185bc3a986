// The history of the published API: what each publication changed, for whom. `npm run compose -- --publish DAY` adds to it, readers are served it.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { type GraphQLSchema, buildASTSchema } from 'graphql';
import { publishedSdl } from './contracts.ts';
import { type Tier, publicDocument } from './public-sdl.ts';
import { type SchemaChange, type TieredChange, changesBetween, tieredChanges } from './schema-change.ts';

export interface Publication {
  /** Of the program that published it. */
  version: string;
  /** A day, as YYYY-MM-DD. */
  on: string;
  /** SHA-256 of published.graphql as it was then, in hexadecimal digits. */
  sha256: string;
  /** Since the publication before it. */
  changes: readonly TieredChange[];
}

/** What is served: one kind of readers' part. */
export interface SchemaHistory {
  tier: Tier;
  /** What the graph has beyond the newest publication. */
  unpublished: readonly SchemaChange[];
  /** The newest first. */
  publications: readonly { version: string; on: string; changes: readonly SchemaChange[] }[];
}

const file = new URL('./publications.json', import.meta.url);

/** The committed history, the newest first. */
export const publications = (): readonly Publication[] => JSON.parse(readFileSync(file, 'utf8')) as Publication[];

export const digestOf = (sdl: string): string => createHash('sha256').update(sdl).digest('hex');

/** The history with one publication more; the same as before when it changes nothing. `before` and `after`: the published API, with directives. */
export function withPublication(
  history: readonly Publication[],
  { before, after, version, on }: { before: string; after: string; version: string; on: string },
): readonly Publication[] {
  const sha256 = digestOf(after);
  if (history[0]?.sha256 === sha256) return history;
  return [{ version, on, sha256, changes: tieredChanges(before, after) }, ...history];
}

/** One line for each change, so that a diff reads like what was published. */
export function writePublications(history: readonly Publication[]): void {
  const one = ({ changes, ...publication }: Publication) => {
    const head = JSON.stringify(publication).slice(0, -1);
    return `${head},"changes":[${changes.map((change) => `\n  ${JSON.stringify(change)}`).join(',')}]}`;
  };
  writeFileSync(file, `[${history.map(one).join(',\n')}]\n`);
}

export interface Published {
  /** The API as it was published last, with directives. */
  sdl: string;
  publications: readonly Publication[];
}

export const readPublished = (): Published => ({ sdl: publishedSdl(), publications: publications() });

/** `now`: what these readers see of the graph. */
export function historyFor(tier: Tier, published: Published, now: GraphQLSchema): SchemaHistory {
  const last = buildASTSchema(publicDocument(published.sdl, tier), { assumeValid: true });
  return {
    tier,
    unpublished: changesBetween(last, now),
    publications: published.publications.map(({ version, on, changes }) => ({
      version,
      on,
      changes: changes.filter(({ tiers }) => tiers.includes(tier)).map(({ tiers: _tiers, ...change }) => change),
    })),
  };
}

const READERS: Readonly<Record<Tier, string>> = { customer: 'customers see it', partner: 'API keys see it', staff: 'staff sees it' };

/** The same as Markdown. */
export function printHistory({ tier, unpublished, publications: published }: SchemaHistory): string {
  const lines = (changes: readonly SchemaChange[], none: string) =>
    changes.length === 0
      ? none
      : changes
          .map(({ kind, description, reason }) => `- ${kind.toLowerCase()}: ${description}${reason === undefined ? '' : ` ${reason}`}`)
          .join('\n');
  return `${[
    `# Changes of the GraphQL API, as ${READERS[tier]}`,
    '## Not published yet',
    lines(unpublished, 'Nothing.'),
    ...published.flatMap(({ version, on, changes }, index) => [
      `## ${version}, published on ${on}`,
      lines(changes, index === published.length - 1 ? 'The first publication.' : 'No change that these readers see.'),
    ]),
  ].join('\n\n')}\n`;
}
