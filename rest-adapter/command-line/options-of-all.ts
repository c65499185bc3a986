// The options that every command has.
import type { Option } from './command.ts';

export const OPTIONS_OF_ALL: Readonly<Record<string, Option>> = {
  url: { value: 'URL', says: 'where the platform is; else EGRESS_URL' },
  'key-file': { value: 'FILE', says: 'the file with the API key; else EGRESS_API_KEY, ~/.config/egress/key, or you are asked' },
  json: { says: 'prints the data of the API; errors too, to standard error' },
  help: { says: 'says how the command is used' },
};
