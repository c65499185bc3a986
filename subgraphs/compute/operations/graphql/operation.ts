import { declareAvailableAction } from '#platform/available-action.ts';
import type { IdPage } from '#platform/id-page.ts';
import { builder } from '../../builder.ts';
import { COMMAND_CODES, OPERATION_STATUSES, STEP_CODES, stepTerms } from '../domain/operation.ts';
import type { OperationRow } from '../entities/operation.ts';

const OperationCommand = builder.enumType('OperationCommand', { values: COMMAND_CODES });
const OperationStatus = builder.enumType('OperationStatus', { values: OPERATION_STATUSES });
const OperationStep = builder.enumType('OperationStep', { values: STEP_CODES });

export const AvailableAction = declareAvailableAction(builder);

const OperationError = builder.objectRef<{ code: string; message: string }>('OperationError').implement({
  fields: (t) => ({ code: t.exposeString('code'), message: t.exposeString('message') }),
});

export const Operation = builder.objectRef<OperationRow>('Operation').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    command: t.expose('command', { type: OperationCommand }),
    status: t.expose('status', { type: OperationStatus }),
    step: t.expose('step', { type: OperationStep }),
    progress: t.int({ resolve: ({ status, serverId, step }) => (status === 'SUCCESS' ? 100 : stepTerms(serverId, step).progress) }),
    startedAt: t.expose('startedAt', { type: 'DateTime' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    error: t.field({
      type: OperationError,
      nullable: true,
      resolve: ({ errorCode, errorMessage }) => (errorCode === null ? null : { code: errorCode, message: errorMessage ?? '' }),
    }),
  }),
});

export const OperationPage = builder
  .objectRef<IdPage<OperationRow>>('OperationPage')
  .implement({ fields: (t) => ({ items: t.expose('items', { type: [Operation] }), next: t.exposeID('next', { nullable: true }) }) });
