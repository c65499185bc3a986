// Checks the keys that a server is given.
import { because, fail } from '#platform/errors.ts';
import type { OperatingSystem } from '../../catalogue/domain/operating-system.ts';
import { parseSshPublicKey } from './ssh-public-key.ts';

const KEYS_MAX = 20;

/** The keys, one line each, unchanged but trimmed; empty ones are left out. Throws `parameter_invalid`. */
export function checkServerKeys(keys: readonly string[], os: OperatingSystem): string[] {
  const lines = keys.map((key) => key.trim()).filter(Boolean);
  if (lines.length > KEYS_MAX || lines.some((line) => !parseSshPublicKey(line)))
    throw fail('parameter_invalid', { field: 'sshKeys', reason: because('ssh_key_unfit') });
  if (lines.length > 0 && os === 'WINDOWS_SERVER_2022')
    throw fail('parameter_invalid', { field: 'sshKeys', reason: because('ssh_keys_linux_only') });
  return lines;
}
