// Nested form bodies and queries, as the processor's libraries send them: `a[b][0][c]=1`, `expand[]=x`.
import { invalid } from './fault.ts';

export type FormValue = string | FormFields;
/** Fields by name; lists are fields named 0, 1, 2. Without a prototype, since clients choose the names. */
export interface FormFields {
  [name: string]: FormValue;
}

const emptyFields = (): FormFields => Object.create(null) as FormFields;

/** Decodes `text`. Throws a fault for a name that does not have the form `a[b][c]`, or that is both a value and a group. */
export function decodeForm(text: string): FormFields {
  const fields = emptyFields();
  for (const [name, value] of new URLSearchParams(text)) put(fields, name, value);
  return fields;
}

function put(fields: FormFields, name: string, value: string): void {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (match === null) throw invalid(`Received unknown parameter: ${name}`, 'parameter_unknown', name);
  const path = [match[1] ?? '', ...[...(match[2] ?? '').matchAll(/\[([^\]]*)\]/g)].map((part) => part[1] ?? '')];
  const last = path.pop() ?? '';
  let group = fields;
  for (const part of path) {
    const key = part === '' ? String(Object.keys(group).length) : part;
    const next = (group[key] ??= emptyFields());
    if (typeof next === 'string') throw invalid(`Invalid ${name}: ${key} is already a value`, undefined, name);
    group = next;
  }
  group[last === '' ? String(Object.keys(group).length) : last] = value;
}
