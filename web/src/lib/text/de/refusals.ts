export { byCode } from './errors.ts';
export { byReason } from './reasons.ts';
