// Reads an inventory file: `ip,port,product,location`, one address per line. Every invalid line is reported, so that all can be corrected at once.
import { isIPv4 } from 'node:net';
import { type Reason, because } from '#platform/errors.ts';
import { isStaticProductId } from '../../products/domain/static-product.ts';

export interface InventoryLine {
  /** The line number in the file, from 1. */
  line: number;
  ip: string;
  port: number;
  productId: string;
  location: string;
}

export interface InventoryProblem {
  line: number;
  reason: Reason;
}

const INVENTORY_COLUMNS = ['ip', 'port', 'product', 'location'] as const;

const MAX_LOCATION_LENGTH = 80;

/** Spec is silent: the most lines of one file; more addresses need several files. */
export const INVENTORY_LINES_MAX = 100_000;

/** Reads a whole file; blank lines are skipped. If there is any problem, `lines` must not be used. */
export function parseInventory(csv: string): { lines: InventoryLine[]; problems: InventoryProblem[] } {
  const lines: InventoryLine[] = [];
  const problems: InventoryProblem[] = [];
  const rows = csv
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => text.trim() !== '');
  const [head, ...body] = rows;
  if (!head || splitFields(head.text)?.join(',').toLowerCase() !== INVENTORY_COLUMNS.join(','))
    return { lines, problems: [{ line: head?.line ?? 1, reason: because('inventory_head', { columns: INVENTORY_COLUMNS.join(',') }) }] };
  if (body.length > INVENTORY_LINES_MAX)
    return {
      lines,
      problems: [{ line: head.line, reason: because('inventory_too_long', { count: body.length, max: INVENTORY_LINES_MAX }) }],
    };

  const seen = new Map<string, number>();
  for (const { text, line } of body) {
    const result = readLine(text);
    if ('code' in result) {
      problems.push({ line, reason: result });
      continue;
    }
    const first = seen.get(result.ip);
    if (first === undefined) seen.set(result.ip, line);
    else problems.push({ line, reason: because('inventory_address_twice', { ip: result.ip, first }) });
    lines.push({ line, ...result });
  }
  if (body.length === 0) problems.push({ line: head.line, reason: because('inventory_empty') });
  return { lines, problems };
}

/** The address in a line, or the reason why the line is invalid. */
function readLine(text: string): Omit<InventoryLine, 'line'> | Reason {
  const fields = splitFields(text);
  if (!fields) return because('inventory_quote_open');
  if (fields.length !== INVENTORY_COLUMNS.length)
    return because('inventory_fields', { count: fields.length, expected: INVENTORY_COLUMNS.length });
  const [ip = '', port = '', product = '', location = ''] = fields;
  if (!isIPv4(ip)) return because('inventory_address_unfit', { text: ip });
  const first = Number(ip.split('.')[0]);
  if (first === 0 || first >= 224) return because('inventory_address_unusable', { ip });
  if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) return because('inventory_port_unfit', { text: port });
  const productId = product.toLowerCase();
  if (!isStaticProductId(productId)) return because('inventory_product_unknown', { text: product });
  if (location === '' || location.length > MAX_LOCATION_LENGTH) return because('inventory_location_length', { max: MAX_LOCATION_LENGTH });
  return { ip, port: Number(port), productId, location };
}

/** Splits a line as RFC 4180 says; undefined when a quote is not closed or is inside an unquoted field. */
function splitFields(text: string): string[] | undefined {
  const fields: string[] = [];
  const field = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y;
  for (;;) {
    const match = field.exec(text);
    if (!match) return undefined;
    fields.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
    if (match[3] === '') return fields;
  }
}
