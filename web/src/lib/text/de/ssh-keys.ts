import type * as en from '../en/ssh-keys.ts';

export const sshKeys: typeof en.sshKeys = {
  title: 'SSH-Schlüssel',
  lead: 'Öffentliche Schlüssel, aus denen Sie beim Bestellen oder Neuinstallieren eines Servers wählen. Ein Server hat seine eigene Kopie: Was Sie hier ändern, ändert keinen Server.',
  mine: 'Ihre Schlüssel',
  emptyTitle: 'Noch keine SSH-Schlüssel',
  emptyLead: 'Speichern Sie einen öffentlichen Schlüssel einmal und wählen Sie ihn für jeden neuen Server.',
  add: 'SSH-Schlüssel hinzufügen',
  addLead: 'Die öffentliche Hälfte, aus einer Datei, die auf .pub endet. Fügen Sie nirgends einen privaten Schlüssel ein.',
  publicKey: 'Öffentlicher Schlüssel',
  publicKeyHint: 'Eine Zeile: Art, Schlüssel, Kommentar.',
  name: 'Name',
  nameHint: 'Leer gelassen heißt er wie sein Kommentar.',
  added: 'Schlüssel gespeichert.',
  removed: 'Schlüssel entfernt.',
  created: (at) => `Hinzugefügt ${at}`,
  rename: 'Umbenennen',
  renameOf: (name) => `${name} umbenennen`,
  remove: 'Entfernen',
  removeOf: (name) => `${name} entfernen`,
  removeTitle: (name) => `${name} entfernen?`,
  removeLead: 'Er lässt sich nicht mehr wählen. Server, die ihn haben, behalten ihn.',
};
