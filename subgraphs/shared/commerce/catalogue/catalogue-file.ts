// The operator's catalogue as a file: { "residential": { "PREMIUM": { "name": "Gold", "prices": { "1": "5.00", "10": "4.25" } } } }. A field that the file does
// not name stays as it is; an unknown name is refused with its path.
import { z } from 'zod';
import type { Config } from '#platform/config.ts';
import { readOperatorFile } from '#platform/operator-file.ts';
import type { SubgraphName } from '../../../../schema/subgraphs.ts';
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
} as const satisfies Record<string, SubgraphName>;
type Part = keyof typeof CATALOGUE_PARTS;

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

/** One sentence per issue; each unknown key has its own, with its path. */
const sentences = ({ issues }: z.ZodError): string[] =>
  issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${[...issue.path, key].join('.')}: is not known`)
      : [`${issue.path.join('.')}: ${issue.message}`],
  );

/**
 * Reads what a file says of these fields, all of one seller. The parts of other sellers are not checked. Throws an Error with one sentence per wrong value or
 * unknown name.
 */
export function judgeCatalogue(file: unknown, seller: SubgraphName, fields: readonly CatalogueField[]): CatalogueWish[] {
  const parts = Object.entries(CATALOGUE_PARTS).map(([part, of]): [string, z.ZodType] => [
    part,
    of === seller ? shapeOfPart(part as Part, fields) : z.unknown(),
  ]);
  const result = objectOf(Object.fromEntries(parts)).safeParse(file);
  if (!result.success)
    throw new Error(
      `The catalogue is not usable:\n${sentences(result.error)
        .map((sentence) => `  - ${sentence}`)
        .join('\n')}`,
    );
  const said = result.data as Record<string, Record<string, Record<string, CatalogueValue>>>;
  return fields.flatMap((field) => {
    const [part = '', code = ''] = field.item.split('.');
    const value = said[part]?.[code]?.[field.name];
    return value === undefined ? [] : [{ field, value }];
  });
}

/** What the file named by CATALOGUE_FILE says of these fields; undefined when none is configured. Throws as `readOperatorFile`. */
export function readCatalogue(config: Config, seller: SubgraphName, fields: readonly CatalogueField[]): CatalogueWish[] | undefined {
  const { CATALOGUE_FILE: file } = commerceConfiguration.of(config);
  return file === undefined ? undefined : readOperatorFile(file, (content) => judgeCatalogue(content, seller, fields));
}
