// Operator's command: `npm run --silent register` prints which personal data is stored, in which table, and for how long.
import { environment } from '#platform/environment.ts';
import { readRetention } from '#platform/retention.ts';
import { registerPage } from './register-page.ts';

process.stdout.write(registerPage(readRetention(environment())));
