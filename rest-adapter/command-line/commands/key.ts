import type { Command } from '../command.ts';
import { WrongUse } from '../given.ts';
import { saveKey } from '../key.ts';

export const KEY_COMMANDS: readonly Command[] = [
  {
    name: 'key save',
    says: 'asks for the API key and keeps it in ~/.config/egress/key, readable by you alone',
    async run({ terminal, answer }) {
      const key = terminal.canAsk ? await terminal.askSecret('API key: ') : (terminal.env['EGRESS_API_KEY'] ?? '');
      if (!/^[\x21-\x7E]+$/.test(key)) throw new WrongUse('No key was given.');
      const path = saveKey(terminal, key);
      answer({ path }, [`Kept in ${path}.`]);
    },
  },
];
