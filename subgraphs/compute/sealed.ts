import type { SealedColumn } from '#platform/sealed-columns.ts';
import { clusterPlace } from './machines/providers/cluster-book.ts';
import { controllerPlace } from './machines/services/controller.ts';
import { passwordPlace, userDataPlace } from './servers/domain/server-secrets.ts';

export const sealed: readonly SealedColumn[] = [
  { table: 'server', key: 'id', column: 'password_sealed', place: passwordPlace },
  { table: 'server', key: 'id', column: 'rescue_password_sealed', place: passwordPlace },
  { table: 'server', key: 'id', column: 'user_data_sealed', of: 'subscription_id', place: userDataPlace },
  { table: 'operation', key: 'id', column: 'secret_sealed', of: 'server_id', place: passwordPlace },
  { table: 'bare_metal', key: 'name', column: 'controller_password_sealed', place: controllerPlace },
  { table: 'cluster', key: 'name', column: 'secrets_sealed', place: clusterPlace },
];
