// What its owner calls a plan.
import { because, fail } from '#platform/errors.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';

export const PLAN_COLOURS = ['GREEN', 'BLUE', 'VIOLET', 'PINK', 'AMBER', 'GREY'] as const;
type PlanColour = (typeof PLAN_COLOURS)[number];

export interface PlanLabel {
  /** In one line; empty: the plan goes by its product. */
  name: string;
  note: string;
  colour: PlanColour | null;
}

export const NO_LABEL: PlanLabel = { name: '', note: '', colour: null };

const NAME = new RegExp(`^[^\\p{Cc}]{0,${TEXT_MAX.planName}}$`, 'u');
/** A note may have several lines. */
const NOTE = new RegExp(`^(?:[^\\p{Cc}]|[\\n\\t]){0,${TEXT_MAX.planNote}}$`, 'u');

/** Without spaces around its texts. Throws parameter_invalid. */
export function checkLabel({ name, note, colour }: PlanLabel): PlanLabel {
  const label = { name: name.trim(), note: note.replaceAll('\r\n', '\n').trim(), colour };
  if (!NAME.test(label.name)) throw unfit('name', TEXT_MAX.planName);
  if (!NOTE.test(label.note)) throw unfit('note', TEXT_MAX.planNote);
  return label;
}

const unfit = (field: string, max: number) => fail('parameter_invalid', { field, reason: because('plan_label_length', { max }) });
