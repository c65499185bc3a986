import { expect, test } from 'vitest';
import { limitsSetting } from '../../edge/limits-setting.ts';

test('an operator sets how much and how long a customer may', () => {
  expect(limitsSetting.parse('connectionsPerPlan=5000,idleMs=600000')).toEqual({ connectionsPerPlan: 5_000, idleMs: 600_000 });
});

test('zero turns off that connections to targets are kept, and nothing else', () => {
  expect(limitsSetting.parse('keptMs=0')).toEqual({ keptMs: 0 });
});

test.each([
  ['leaseBytesMax=1', 'leaseBytesMax is none of connectionsPerPlan, '],
  ['idleMs=soon', 'idleMs must be a whole number above zero'],
  ['idleMs=0', 'idleMs must be a whole number above zero'],
  ['idleMs', 'name=value pairs'],
])('%s is refused with a sentence', (text, sentence) => {
  expect(limitsSetting.safeParse(text).error?.message).toContain(sentence);
});
