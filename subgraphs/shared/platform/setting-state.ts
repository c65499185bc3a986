// Which variables of a configuration part are set, for a page that may not show their values.
import type { Config, ConfigPart } from './config.ts';

export interface SettingState {
  name: string;
  /** The variable's meaning. */
  about: string;
  /** Whether it has a value other than its default. */
  isSet: boolean;
}

/** In the order of the part's variables. */
export const settingStates = (config: Config, { variables }: ConfigPart): SettingState[] =>
  Object.entries(variables).map(([name, [schema, about]]) => {
    const value = config[name as keyof Config] as unknown;
    return { name, about, isSet: JSON.stringify(value) !== JSON.stringify(schema.safeParse(undefined).data) };
  });
