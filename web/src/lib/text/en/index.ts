import { billing } from './billing.ts';
import { developers } from './developers.ts';
import { entrance } from './entrance.ts';
import { home } from './home.ts';
import { landing } from './landing.ts';
import { residential } from './residential.ts';
import { servers } from './servers.ts';
import { settings } from './settings.ts';
import { actions, errors, shell, states } from './shell.ts';
import { staticPlans } from './static-plans.ts';
import { support } from './support.ts';

export const en = {
  actions,
  billing,
  developers,
  entrance,
  errors,
  home,
  landing,
  residential,
  servers,
  settings,
  shell,
  states,
  staticPlans,
  support,
};
