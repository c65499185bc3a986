// Operator's command: `npm run --silent settings` prints every variable with its default, its meaning and its readers.
import { settingsPage } from './settings-page.ts';

process.stdout.write(settingsPage());
