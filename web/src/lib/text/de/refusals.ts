// What mails say too: the catalogue has it beside its codes.
export { byCode } from '../../../../../schema/codes/de/errors.ts';
export { byReason } from '../../../../../schema/codes/de/reasons.ts';
