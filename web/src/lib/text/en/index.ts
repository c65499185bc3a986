import { billing } from './billing.ts';
import { checkout } from './checkout.ts';
import { entrance } from './entrance.ts';
import { home } from './home.ts';
import { residential } from './residential.ts';
import { sales } from './sales.ts';
import { actions, errors, shell, states } from './shell.ts';
import { staticPlans } from './static-plans.ts';
import { subscriptions } from './subscriptions.ts';

export const en = {
  actions,
  billing,
  checkout,
  entrance,
  errors,
  home,
  residential,
  sales,
  shell,
  states,
  staticPlans,
  subscriptions,
};
