// Every command of support's desk.
import { ACCOUNT_COMMANDS } from './desk-accounts.ts';
import { ANNOUNCEMENT_COMMANDS } from './desk-announcements.ts';
import { COUPON_COMMANDS } from './desk-coupons.ts';
import { CREDIT_COMMANDS } from './desk-credit.ts';
import { DISPUTE_COMMANDS } from './desk-disputes.ts';
import { EVENT_COMMANDS } from './desk-events.ts';
import { FINANCE_COMMANDS } from './desk-finance.ts';
import { INCIDENT_COMMANDS } from './desk-incidents.ts';
import { LEGAL_COMMANDS } from './desk-legal.ts';
import { MAIL_COMMANDS } from './desk-mails.ts';
import { ORDER_COMMANDS } from './desk-orders.ts';
import { RISK_COMMANDS } from './desk-risk.ts';
import { STAFF_COMMANDS } from './desk-staff.ts';
import type { Command } from './desk.ts';

export const DESK_COMMANDS: Readonly<Record<string, Command>> = {
  ...ACCOUNT_COMMANDS,
  ...STAFF_COMMANDS,
  ...ORDER_COMMANDS,
  ...EVENT_COMMANDS,
  ...ANNOUNCEMENT_COMMANDS,
  ...COUPON_COMMANDS,
  ...CREDIT_COMMANDS,
  ...DISPUTE_COMMANDS,
  ...FINANCE_COMMANDS,
  ...INCIDENT_COMMANDS,
  ...LEGAL_COMMANDS,
  ...MAIL_COMMANDS,
  ...RISK_COMMANDS,
};
