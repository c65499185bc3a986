import { builder } from '../../builder.ts';
import { OPERATING_SYSTEM_CODES } from '../domain/operating-system.ts';

export const OperatingSystem = builder.enumType('OperatingSystem', { values: OPERATING_SYSTEM_CODES });
