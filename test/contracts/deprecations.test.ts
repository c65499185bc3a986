// What is to go from the API says since when, what to ask for instead, and when it may go: a year later or more.
import { buildSchema, getNamedType, isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { apiSdl } from '../../schema/contracts.ts';

const FORM = /^Since (\d{4}-\d\d-\d\d): (\w+) .+\. Removed on (\d{4}-\d\d-\d\d) at the earliest\.$/;

const schema = buildSchema(apiSdl());
const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()).map((field) => ({ type, field })) : [],
);
const deprecated = fields.filter(({ field }) => field.deprecationReason != null);

test.each(deprecated.map(({ type, field }) => [`${type.name}.${field.name}`, type, field] as const))('%s', (_, type, field) => {
  const [, since = '', instead = '', until = ''] = FORM.exec(field.deprecationReason ?? '') ?? [];
  const aYearLater = new Date(since);
  aYearLater.setUTCFullYear(aYearLater.getUTCFullYear() + 1);
  expect(new Date(until).getTime()).toBeGreaterThanOrEqual(aYearLater.getTime());
  const other = type.getFields()[instead];
  expect(other?.deprecationReason).toBeUndefined();
  expect(other && getNamedType(other.type)).toBeDefined();
});

test('there are some', () => {
  expect(deprecated.length).toBeGreaterThan(0);
});
