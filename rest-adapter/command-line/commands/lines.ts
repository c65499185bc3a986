import { writeFileSync } from 'node:fs';
import type { Command, Context } from '../command.ts';
import { WrongUse } from '../given.ts';
import { LINE_FORMATS, formatLines, isLineFormat } from '../line-format.ts';

/** What is asked for, in the words of the API. */
function inputOf({ given }: Context) {
  const [state, city] = [given.text('state'), given.text('city')];
  return {
    product_id: given.needed('PLAN'),
    pool: given.text('pool') ?? 'Worldwide',
    quantity: given.number('quantity') ?? 10,
    sticky: !given.has('rotating'),
    type: given.has('socks5') ? ('socks5' as const) : ('http' as const),
    time: given.text('time') ?? '60',
    ...(state !== undefined && { state }),
    ...(city !== undefined && { city }),
  };
}

export const LINE_COMMANDS: readonly Command[] = [
  {
    name: 'generate',
    operands: ['PLAN'],
    options: {
      pool: { value: 'PLACE', says: 'a country by name or code, Worldwide, or Europe; else Worldwide' },
      state: { value: 'STATE', says: 'a state of the country' },
      city: { value: 'CITY', says: 'a city of the country' },
      quantity: { value: 'NUMBER', says: 'how many lines, up to 10,000; else 10' },
      rotating: { says: 'a fresh address for each connection; else one address for the time' },
      time: { value: 'MINUTES', says: 'how long a sticky line keeps its address; else 60' },
      socks5: { says: 'SOCKS5; else HTTP' },
      format: { value: 'FORMAT', says: `${Object.keys(LINE_FORMATS).join(', ')}; else the first` },
      file: { value: 'FILE', says: 'writes the lines there, for you alone to read' },
      clipboard: { says: 'copies the lines' },
    },
    says: 'generates proxy lines of a plan',
    async run(context) {
      const { client, given, terminal, answer } = context;
      const format = given.text('format') ?? 'ip:port:user:pass';
      if (!isLineFormat(format)) throw new WrongUse(`--format takes ${Object.keys(LINE_FORMATS).join(', ')}.`);
      const input = inputOf(context);
      const data = await client.generateResidentialProxies(input, terminal);
      const text = formatLines(data.proxies, format, input.type);
      const file = given.text('file');
      if (file !== undefined) writeFileSync(file, text, { mode: 0o600 });
      if (given.has('clipboard')) await terminal.copy(text);
      const kept = [...(file === undefined ? [] : [`in ${file}`]), ...(given.has('clipboard') ? ['in the clipboard'] : [])];
      if (given.has('json')) return answer(data, []);
      if (kept.length === 0) return terminal.out(text);
      terminal.err(`${data.count} lines are ${kept.join(' and ')}.\n`);
    },
  },
];
