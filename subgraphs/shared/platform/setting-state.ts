// Which variables of a part of the configuration have a value of their own, for a page that may not show the values.
import type { Config, ConfigPart } from './config.ts';

export interface SettingState {
  name: string;
  /** What it is for. */
  about: string;
  /** Whether it has a value other than its default. */
  isSet: boolean;
}

/** In the order in which the part names them. */
export const settingStates = (config: Config, { variables }: ConfigPart): SettingState[] =>
  Object.entries(variables).map(([name, [schema, about]]) => {
    const value = config[name as keyof Config] as unknown;
    return { name, about, isSet: JSON.stringify(value) !== JSON.stringify(schema.safeParse(undefined).data) };
  });
