// What a VPS starts from: its disk, or a rescue system with a password of its own.
import { unseal } from '#platform/secrets.ts';
import { RESCUE_LOGIN } from '../domain/machine-task.ts';
import { type StepRun, passwordPlace, proceed, refOf, wait } from './steps.ts';

export const setBoot: StepRun = async (input) => {
  const { ctx, server, operation, datacenter } = input;
  const wanted = operation.command === 'RESCUE';
  const ref = refOf(server);
  if ((await datacenter.hypervisor.bootsRescue(ref)) === wanted) return proceed(input);
  if (wanted && !operation.secretSealed) return { kind: 'fail', message: 'There is no password for the rescue system.' };
  const password = operation.secretSealed ? unseal(operation.secretSealed, ctx.providers.sealing, passwordPlace(server.id)) : '';
  await datacenter.hypervisor.setBoot(ref, wanted ? { loginName: RESCUE_LOGIN, password } : null);
  return wait(null);
};
