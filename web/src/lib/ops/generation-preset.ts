import { graphql, type ResultOf } from '../graphql.ts';

const PresetFields = graphql(`
  fragment PresetFields on GenerationPreset @_unmask {
    name
    country
    exclude
    state
    city
    session
    sessionMinutes
    protocol
    quantity
    format
  }
`);

export type Preset = ResultOf<typeof PresetFields>;

export const GenerationPresets = graphql(
  `
    query GenerationPresets {
      generationPresets {
        ...PresetFields
      }
    }
  `,
  [PresetFields],
);

export const GenerationPresetSave = graphql(
  `
    mutation GenerationPresetSave($planId: ID!, $name: String!, $input: ProxyGenerateInput!, $format: ProxyLineFormat!) {
      generationPresetSave(planId: $planId, name: $name, input: $input, format: $format) {
        ...PresetFields
      }
    }
  `,
  [PresetFields],
);

export const GenerationPresetRemove = graphql(
  `
    mutation GenerationPresetRemove($name: String!) {
      generationPresetRemove(name: $name) {
        ...PresetFields
      }
    }
  `,
  [PresetFields],
);
