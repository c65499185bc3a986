// `npm run client`: writes the printed part of the client anew, from the endpoint objects.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PRINTED_FOLDERS, clientText } from './client-text.ts';
import { ENDPOINTS } from './endpoints/index.ts';

const CLIENT = fileURLToPath(new URL('client/', import.meta.url));

for (const folder of PRINTED_FOLDERS) {
  rmSync(CLIENT + folder, { recursive: true, force: true });
  mkdirSync(CLIENT + folder);
}
for (const [path, text] of Object.entries(clientText(ENDPOINTS))) writeFileSync(CLIENT + path, text);
