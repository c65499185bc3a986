/** How a log-in by password or chat can be made a strong one. */
export type SecondFactor = 'TOTP' | 'RECOVERY_CODE' | 'PASSKEY';
