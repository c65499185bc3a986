// The rows of a breakdown of usage: what its values are called, and all that is beyond the limit as the last row.
import type { Row } from './UsageTable.svelte';
import { formatCount } from '#lib/format/count.ts';
import { placeName } from '#lib/format/place.ts';
import { query } from '#lib/live.svelte.ts';
import { ApiKeyNames } from '#lib/ops/api-key.ts';
import { t } from '#lib/text/residential-usage.ts';

const text = t.usage.breakdown;
export type Dimension = keyof typeof text.dimensions;

interface Counted {
  upBytes: string;
  downBytes: string;
  totalBytes: string;
}
interface Breakdown {
  shares: (Counted & { value: string | null })[];
  others: Counted & { values: number };
}

/** `by`: the dimension of the rows that are shown. `nameOf`: what a plan or product is called; undefined where its value says nothing better. */
export function breakdownRows(
  found: () => Breakdown | undefined,
  by: () => Dimension,
  nameOf: (by: Dimension, value: string) => string | undefined = () => undefined,
) {
  // An id means nothing to the owner of a key, so the key is named as in the list of keys.
  const keys = query(ApiKeyNames, () => (by() === 'API_KEY' ? {} : null), 'cache-first');
  const keyNames = $derived(Object.fromEntries((keys.data?.me?.apiKeys ?? []).map(({ id, masked }) => [id, masked])));
  const rows: Row[] = $derived.by(() => {
    const [breakdown, dimension] = [found(), by()];
    if (!breakdown) return [];
    const called = (value: string) =>
      dimension === 'COUNTRY' ? placeName(value) : dimension === 'API_KEY' ? keyNames[value] : nameOf(dimension, value);
    const named = breakdown.shares.map((share) => {
      const name = share.value === null ? text.none[dimension] : called(share.value);
      return { ...share, key: share.value ?? '-', name: name ?? share.value ?? '', mono: name === undefined };
    });
    const { others } = breakdown;
    return others.values > 0 ? [...named, { ...others, key: '+', name: text.others(formatCount(others.values)), mono: false }] : named;
  });
  return {
    get rows() {
      return rows;
    },
  };
}
