import { batched } from '#platform/batched.ts';
import { type EntityManager, runStatement } from '#platform/database.ts';
import { NO_LABEL, type PlanLabel } from '../domain/plan-label.ts';

/** The label of a plan; those of a list are read together. */
export const labelOf = batched<PlanLabel>(async (em, planIds) => {
  const rows = await runStatement<PlanLabel & { plan_id: string }>(
    em,
    'select plan_id, name, note, colour from residential.plan_label where plan_id = any($1)',
    [planIds],
  );
  const labels = new Map(rows.map(({ plan_id, name, note, colour }) => [plan_id, { name, note, colour }]));
  return planIds.map((id) => labels.get(id) ?? NO_LABEL);
});

export async function saveLabel(em: EntityManager, planId: string, { name, note, colour }: PlanLabel): Promise<void> {
  await runStatement(
    em,
    `insert into residential.plan_label (plan_id, name, note, colour) values ($1, $2, $3, $4)
     on conflict (plan_id) do update set name = excluded.name, note = excluded.note, colour = excluded.colour`,
    [planId, name, note, colour],
  );
}
