import { defineEntity } from '@mikro-orm/core';

export const ApiKeyDay = defineEntity({
  name: 'ApiKeyDay',
  tableName: 'api_key_day',
  properties: (p) => ({
    keyId: p.string().primary(),
    day: p.string().primary(),
    requests: p.bigint('number'),
  }),
});
