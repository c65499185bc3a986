import { builder } from '../../builder.ts';
import { DATE_FORMATS, DENSITIES, type Preferences as PreferencesShape } from '../domain/preferences.ts';
import { preferencesOfReader, setPreferences } from '../services/preferences.ts';
import { Account } from './account.ts';

const DateFormat = builder.enumType('DateFormat', { values: DATE_FORMATS });
const Density = builder.enumType('Density', { values: DENSITIES });

const Preferences = builder.objectRef<PreferencesShape>('Preferences').implement({
  fields: (t) => ({
    timeZone: t.exposeString('timeZone', { nullable: true }),
    dateFormat: t.expose('dateFormat', { type: DateFormat }),
    density: t.expose('density', { type: Density }),
  }),
});

const PreferencesInput = builder.inputType('PreferencesInput', {
  fields: (t) => ({ timeZone: t.string(), dateFormat: t.field({ type: DateFormat }), density: t.field({ type: Density }) }),
});

builder.objectField(Account, 'preferences', (t) =>
  t.field({ type: Preferences, authScopes: { session: 'read' }, resolve: (account, _args, ctx) => preferencesOfReader(ctx, account) }),
);

builder.mutationField('accountSetPreferences', (t) =>
  t.field({
    type: Account,
    authScopes: { session: 'read' },
    args: { input: t.arg({ type: PreferencesInput, required: true }) },
    resolve: (_, { input: { timeZone, dateFormat, density } }, ctx) =>
      setPreferences(ctx, { ...(timeZone !== undefined && { timeZone }), ...(dateFormat && { dateFormat }), ...(density && { density }) }),
  }),
);
