// The English sentences are those that the API itself returns.
import { ERRORS, type ErrorCode, REASONS, type Sentences } from '../../../../../schema/codes/catalogue.ts';

export const byCode = Object.fromEntries(Object.entries(ERRORS).map(([code, { message }]) => [code, message])) as Readonly<
  Record<ErrorCode, string>
>;

export const byReason: Sentences = REASONS;
