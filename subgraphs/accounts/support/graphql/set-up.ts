// The page that creates the first member of staff of a new platform.
import type { SettingState } from '#platform/setting-state.ts';
import type { VendorFinding } from '#platform/vendor-check.ts';
import { builder } from '../../builder.ts';
import { type SetUpState, checkSetUp, finishSetUp, isSetUpOpen } from '../services/set-up.ts';

const SetUpSetting = builder.objectRef<SettingState>('SetUpSetting').implement({
  fields: (t) => ({ name: t.exposeString('name'), about: t.exposeString('about'), isSet: t.exposeBoolean('isSet') }),
});

const SetUpFinding = builder.objectRef<VendorFinding>('SetUpFinding').implement({
  fields: (t) => ({
    vendor: t.exposeString('vendor'),
    what: t.exposeString('what'),
    ok: t.exposeBoolean('ok'),
    words: t.exposeString('words'),
  }),
});

const SetUp = builder.objectRef<SetUpState>('SetUp').implement({
  fields: (t) => ({
    settings: t.field({ type: [SetUpSetting], resolve: ({ settings }) => [...settings] }),
    findings: t.field({ type: [SetUpFinding], resolve: ({ findings }) => [...findings] }),
  }),
});

const SetUpReceipt = builder
  .objectRef<{ email: string; enrolment: string }>('SetUpReceipt')
  .implement({ fields: (t) => ({ email: t.exposeString('email'), enrolment: t.exposeString('enrolment') }) });

const SetUpInput = builder.inputType('SetUpInput', {
  fields: (t) => ({
    code: t.string({ required: true }),
    email: t.string({ required: true }),
    password: t.string({ required: true }),
  }),
});

builder.queryField('setUpOpen', (t) => t.boolean({ authScopes: { anyone: true }, resolve: (_, _args, ctx) => isSetUpOpen(ctx) }));

builder.mutationFields((t) => ({
  setUpCheck: t.field({
    type: SetUp,
    authScopes: { anyone: true },
    args: { code: t.arg.string({ required: true }) },
    resolve: (_, { code }, ctx) => checkSetUp(ctx, code),
  }),
  setUpFinish: t.field({
    type: SetUpReceipt,
    authScopes: { anyone: true },
    args: { input: t.arg({ type: SetUpInput, required: true }) },
    resolve: (_, { input }, ctx) => finishSetUp(ctx, input),
  }),
}));
