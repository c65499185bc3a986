// Operator's command: `npm run --silent register` prints what is kept of people, in which table, and how long.
import { registerPage } from './register-page.ts';

process.stdout.write(registerPage());
