// The operator's catalogue as a file: { "residential": { "PREMIUM": { "name": "Gold", "prices": { "1": "5.00", "10": "4.25" } } } }. A field that the file does
// not name stays as it is; an unknown name is refused with its path and line.
import { z } from 'zod';
import type { Config } from '#platform/config.ts';
import type { JsonPath, JsonPlaces } from '#platform/json-places.ts';
import { readOperatorFile } from '#platform/operator-file.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import type { CatalogueField } from './catalogue-entry.ts';
import { type CatalogueValue, formOf } from './catalogue-value.ts';
import { commerceConfiguration } from '../configuration.ts';

/** Which subgraph owns each part of the file. */
export const CATALOGUE_PARTS = {
  residential: 'residential',
  static: 'static',
  vps: 'compute',
  dedicated: 'compute',
  systems: 'compute',
} as const satisfies Record<string, Seller>;
type Part = keyof typeof CATALOGUE_PARTS;

/** Who sells an item such as `static.datacenter`; undefined when nobody has that part. */
export const sellerOfItem = (item: string): Seller | undefined =>
  Object.hasOwn(CATALOGUE_PARTS, item.split('.')[0] ?? '') ? CATALOGUE_PARTS[item.split('.')[0] as Part] : undefined;

/** A value that a file gives to a field. */
export interface CatalogueWish {
  field: CatalogueField;
  value: CatalogueValue;
}

/** The schema of this field's value in a file. */
export const shapeOf = ({ kind, steps }: CatalogueField): z.ZodType<CatalogueValue> =>
  kind === 'AMOUNTS'
    ? formOf(kind).refine(
        (value) => {
          const given = Object.keys(value);
          return steps ? given.length === steps.length && steps.every((step) => given.includes(String(step))) : given.includes('1');
        },
        steps ? `must have the steps ${steps.join(', ')}, and no others` : 'the first price step must be 1',
      )
    : formOf(kind);

const objectOf = (shapes: Record<string, z.ZodType>) =>
  z.strictObject(Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, shape.optional()])));

function shapeOfPart(part: Part, fields: readonly CatalogueField[]): z.ZodType {
  const codes = new Map<string, Record<string, z.ZodType>>();
  for (const field of fields) {
    const [of, code = ''] = field.item.split('.');
    if (of === part) codes.set(code, { ...codes.get(code), [field.name]: shapeOf(field) });
  }
  return objectOf(Object.fromEntries([...codes].map(([code, shapes]) => [code, objectOf(shapes)])));
}

/** What is wrong in a file, and where. */
export interface CatalogueProblem {
  path: JsonPath;
  sentence: string;
}

const problemsOf = ({ issues }: z.ZodError): CatalogueProblem[] =>
  issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], sentence: 'is not known' }))
      : [{ path: issue.path, sentence: issue.message }],
  );

/** Reads what a file says of these fields, all of one seller. The parts of other sellers are not checked. With a problem there are no wishes. */
export function judgeCatalogue(
  file: unknown,
  seller: Seller,
  fields: readonly CatalogueField[],
): { wishes: CatalogueWish[]; problems: CatalogueProblem[] } {
  const parts = Object.entries(CATALOGUE_PARTS).map(([part, of]): [string, z.ZodType] => [
    part,
    of === seller ? shapeOfPart(part as Part, fields) : z.unknown(),
  ]);
  const result = objectOf(Object.fromEntries(parts)).safeParse(file);
  if (!result.success) return { wishes: [], problems: problemsOf(result.error) };
  const said = result.data as Record<string, Record<string, Record<string, CatalogueValue>>>;
  const wishes = fields.flatMap((field) => {
    const [part = '', code = ''] = field.item.split('.');
    const value = said[part]?.[code]?.[field.name];
    return value === undefined ? [] : [{ field, value }];
  });
  return { wishes, problems: [] };
}

/** One line per problem, in the order of the file; several sellers may have found the same one. */
function reportOf(problems: readonly CatalogueProblem[], { lineOf }: JsonPlaces): string {
  const lines = problems
    .map(({ path, sentence }) => ({ line: lineOf(path), text: `${path.join('.')}: ${sentence}` }))
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, text }) => `  - ${text} (line ${line})`);
  return `The catalogue is not usable:\n${[...new Set(lines)].join('\n')}`;
}

/** What a file says of the fields of each of these sellers. Throws a StartFailure that names all problems of all of them, with their lines. */
export const readCatalogueFile = <Name extends Seller>(
  file: string,
  fieldsOf: Readonly<Record<Name, readonly CatalogueField[]>>,
): Record<Name, CatalogueWish[]> =>
  readOperatorFile(file, (content, places) => {
    const judged = (Object.entries(fieldsOf) as [Name, readonly CatalogueField[]][]).map(
      ([seller, fields]) => [seller, judgeCatalogue(content, seller, fields)] as const,
    );
    const found = places();
    const problems = [
      ...found.repeated.map((path) => ({ path, sentence: 'is there twice' })),
      ...judged.flatMap(([, { problems: own }]) => own),
    ];
    if (problems.length > 0) throw new Error(reportOf(problems, found));
    return Object.fromEntries(judged.map(([seller, { wishes }]) => [seller, wishes])) as Record<Name, CatalogueWish[]>;
  });

/** What the file named by CATALOGUE_FILE says of these fields; undefined when none is configured. Throws as `readCatalogueFile`. */
export function readCatalogue(config: Config, seller: Seller, fields: readonly CatalogueField[]): CatalogueWish[] | undefined {
  const { CATALOGUE_FILE: file } = commerceConfiguration.of(config);
  return file === undefined
    ? undefined
    : readCatalogueFile(file, { [seller]: fields } as Record<Seller, readonly CatalogueField[]>)[seller];
}
