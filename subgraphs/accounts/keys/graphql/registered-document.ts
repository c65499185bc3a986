import { builder } from '../../builder.ts';
import { type RegisteredDocument as RegisteredDocumentShape, textOfRegisteredDocument } from '../entities/registered-document.ts';
import {
  addRegisteredDocuments,
  listRegisteredDocuments,
  removeRegisteredDocument,
  setDocumentsOnly,
} from '../services/registered-documents.ts';
import { ApiKey } from './api-key.ts';

const RegisteredDocument = builder.objectRef<RegisteredDocumentShape>('RegisteredDocument').implement({
  fields: (t) => ({
    hash: t.exposeID('hash'),
    name: t.exposeString('name'),
    text: t.exposeString('text'),
    registeredAt: t.expose('registeredAt', { type: 'DateTime' }),
  }),
});

const RegisteredDocumentInput = builder.inputType('RegisteredDocumentInput', {
  inaccessible: true,
  fields: (t) => ({ hash: t.id({ required: true }), name: t.string({ required: true }), text: t.string({ required: true }) }),
});

builder.objectField(ApiKey, 'documentsOnly', (t) => t.exposeBoolean('documentsOnly'));

builder.queryFields((t) => ({
  registeredDocuments: t.field({
    type: [RegisteredDocument],
    nullable: true,
    authScopes: { key: 'read', session: 'keys' },
    resolve: (_, __, ctx) => listRegisteredDocuments(ctx),
  }),
  registeredDocumentText: t.string({
    nullable: true,
    inaccessible: true,
    authScopes: { system: true },
    args: { accountId: t.arg.id({ required: true }), hash: t.arg.string({ required: true }) },
    resolve: async (_, { accountId, hash }, { em }) => (await textOfRegisteredDocument(em, accountId, hash)) ?? null,
  }),
}));

builder.mutationFields((t) => ({
  registeredDocumentsAdd: t.boolean({
    inaccessible: true,
    authScopes: { system: true },
    args: { accountId: t.arg.id({ required: true }), documents: t.arg({ type: [RegisteredDocumentInput], required: true }) },
    async resolve(_, { accountId, documents }, ctx) {
      await addRegisteredDocuments(ctx, accountId, documents);
      return true;
    },
  }),
  registeredDocumentRemove: t.field({
    type: [RegisteredDocument],
    authScopes: { session: 'keys' },
    args: { hash: t.arg.id({ required: true }) },
    resolve: (_, { hash }, ctx) => removeRegisteredDocument(ctx, hash),
  }),
  apiKeySetDocumentsOnly: t.field({
    type: ApiKey,
    authScopes: { session: 'keys' },
    args: { id: t.arg.id({ required: true }), documentsOnly: t.arg.boolean({ required: true }) },
    resolve: (_, input, ctx) => setDocumentsOnly(ctx, input),
  }),
}));
