// The catalogue of errors has these sentences next to its codes, since mails use them too.
export { byCode } from '../../../../../schema/codes/de/errors.ts';
export { byReason } from '../../../../../schema/codes/de/reasons.ts';
