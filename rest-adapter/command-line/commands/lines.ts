import { writeFileSync } from 'node:fs';
import type { Command, Context } from '../command.ts';
import { LINE_FORMATS, type LineFormat, type Scheme, formatLines } from '../line-format.ts';
import { lineTestCard } from '../line-test-card.ts';
import { card } from '../table.ts';

const FORMATS = Object.keys(LINE_FORMATS) as LineFormat[];

/** Where lines go, and how they are written. */
const WRITING = {
  format: { value: 'FORMAT', says: `${FORMATS.join(', ')}; else the first` },
  file: { value: 'FILE', says: 'writes the lines there, for you alone to read' },
  clipboard: { says: 'copies the lines' },
};

const SCHEMES = {
  socks5: { says: 'SOCKS5; else HTTP' },
  https: { says: 'an HTTP proxy over TLS, where it is offered' },
};
const schemeOf = (given: Context['given']): Scheme => (given.has('socks5') ? 'socks5' : given.has('https') ? 'https' : 'http');

/** What is asked for, in the words of the API. */
function inputOf({ given }: Context) {
  const [exclude, state, city] = [given.text('exclude'), given.text('state'), given.text('city')];
  return {
    product_id: given.needed('PLAN'),
    pool: given.text('pool') ?? 'Worldwide',
    quantity: given.number('quantity') ?? 10,
    sticky: !given.has('rotating'),
    type: schemeOf(given),
    time: given.text('time') ?? '60',
    ...(exclude !== undefined && { exclude }),
    ...(state !== undefined && { state }),
    ...(city !== undefined && { city }),
  };
}

/** Writes lines to where they are wanted. `generate` is called when the options are known to be right. */
async function writeLines(
  { given, terminal, answer }: Context,
  scheme: Scheme,
  generate: () => Promise<{ proxies: string[]; count: number }>,
): Promise<void> {
  const format = given.oneOf('format', FORMATS) ?? 'ip:port:user:pass';
  const data = await generate();
  const text = formatLines(data.proxies, format, scheme);
  const file = given.text('file');
  if (file !== undefined) writeFileSync(file, text, { mode: 0o600 });
  if (given.has('clipboard')) await terminal.copy(text);
  const kept = [...(file === undefined ? [] : [`in ${file}`]), ...(given.has('clipboard') ? ['in the clipboard'] : [])];
  if (given.has('json')) return answer(data, []);
  if (kept.length === 0) return terminal.out(text);
  terminal.err(`${data.count} lines are ${kept.join(' and ')}.\n`);
}

export const LINE_COMMANDS: readonly Command[] = [
  {
    name: 'generate',
    operands: ['PLAN'],
    options: {
      pool: { value: 'PLACE', says: 'a country by name or code, several with commas between, Worldwide, or Europe; else Worldwide' },
      exclude: { value: 'COUNTRIES', says: 'countries with commas between that no line leaves from' },
      state: { value: 'STATE', says: 'a state of the country' },
      city: { value: 'CITY', says: 'a city of the country' },
      quantity: { value: 'NUMBER', says: 'how many lines, up to 10,000; else 10' },
      rotating: { says: 'a fresh address for each connection; else one address for the time' },
      time: { value: 'MINUTES', says: 'how long a sticky line keeps its address; else 60' },
      ...SCHEMES,
      ...WRITING,
    },
    says: 'generates proxy lines of a plan',
    run(context) {
      const input = inputOf(context);
      return writeLines(context, input.type, () => context.client.generateResidentialProxies(input, context.terminal));
    },
  },
  {
    name: 'batch',
    operands: ['BATCH'],
    options: { ...SCHEMES, ...WRITING },
    says: 'prints the lines of an earlier generation again',
    run(context) {
      const { client, given, terminal } = context;
      const batch = { batch_id: given.needed('BATCH') };
      return writeLines(context, schemeOf(given), () => client.getProxyBatch(batch, terminal));
    },
  },
  {
    name: 'renew',
    operands: ['PLAN', 'SESSION'],
    says: 'gives a sticky session another address; its lines stay as they are',
    async run({ client, given, answer, terminal }) {
      const data = await client.renewProxySession({ product_id: given.needed('PLAN'), session: given.needed('SESSION') }, terminal);
      const none = 'No session with this number is alive: its next connection begins one.';
      answer(data, [data.renewed === 0 ? none : 'Its next connection leaves from another address.']);
    },
  },
  {
    name: 'check',
    operands: ['LINE'],
    says: 'tells whether a line works, and if not, why',
    async run({ client, given, answer, terminal }) {
      const data = await client.checkProxyLine({ line: given.needed('LINE') }, terminal);
      const { works, problems, ...read } = data;
      answer(data, [works ? 'It works.' : 'It does not work:', ...problems.map(({ message }) => `  ${message}`), '', ...card(read)]);
    },
  },
  {
    name: 'test',
    operands: ['LINE'],
    says: 'sends a real request through a line, and tells where it leaves from and how quickly; its bytes are counted',
    async run({ client, given, answer, terminal }) {
      const data = await client.testProxyLine({ line: given.needed('LINE') }, terminal);
      const { up_bytes, down_bytes, ...test } = data;
      answer(data, lineTestCard(test, { counted_bytes: up_bytes + down_bytes }));
    },
  },
];
