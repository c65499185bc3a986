// The table residential.generation_preset.
import { type EntityManager, runStatement } from '#platform/database.ts';
import { type GenerationPreset, PRESETS_MAX } from '../domain/generation-preset.ts';

interface Row extends Omit<GenerationPreset, 'savedAt'> {
  saved_at: string | Date;
}

/** The presets of an account, by name. */
export async function presetsOf(em: EntityManager, accountId: string): Promise<GenerationPreset[]> {
  const rows = await runStatement<Row>(
    em,
    'select name, input, quantity, format, saved_at from residential.generation_preset where account_id = $1 order by lower(name), name',
    [accountId],
  );
  return rows.map(({ saved_at, ...row }) => ({ ...row, savedAt: new Date(saved_at) }));
}

/** Stores a preset, in the place of one of the same name. False, and nothing is stored, when the account has no room for another. */
export async function storePreset(em: EntityManager, accountId: string, preset: GenerationPreset): Promise<boolean> {
  const rows = await runStatement(
    em,
    `insert into residential.generation_preset (account_id, name, input, quantity, format, saved_at)
     select $1, $2, $3::jsonb, $4::int, $5, $6::timestamptz
     where (select count(*) from residential.generation_preset where account_id = $1 and name <> $2) < ${PRESETS_MAX}
     on conflict (account_id, name) do update
       set input = excluded.input, quantity = excluded.quantity, format = excluded.format, saved_at = excluded.saved_at
     returning name`,
    [accountId, preset.name, JSON.stringify(preset.input), preset.quantity, preset.format, preset.savedAt.toISOString()],
  );
  return rows.length > 0;
}

export async function deletePreset(em: EntityManager, accountId: string, name: string): Promise<void> {
  await runStatement(em, 'delete from residential.generation_preset where account_id = $1 and name = $2', [accountId, name]);
}
