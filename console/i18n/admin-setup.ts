/** The sentences about the declaration of a company in both languages. */
export const adminSetup = {
  en: {
    'admin.setup.what':
      'Warehouses, products, price lists, contracts, shops, rules and settings, as smista export prints them. What a text does not name stays as it is.',
    'admin.setup.secrets':
      'Secrets never leave the server: here they are the word keep, which leaves the stored one as it is. Replace keep to change one.',
    'admin.setup.file':
      'If you keep an apply file, change it too: its next apply overwrites what you change here. The data does not tell where a value came from.',
    'admin.setup.applied': 'Last applied: {at}, by {who}.',
    'admin.setup.neverApplied': 'The audit log that you may read has no apply yet.',
    'admin.setup.text': 'Declaration',
    'admin.setup.edit': 'Edit',
    'admin.setup.newCompany': 'New company',
    'admin.setup.preview': 'Preview',
    'admin.setup.apply': 'Apply exactly this',
    'admin.setup.discard': 'Discard my text',
    'admin.setup.draft':
      'This text is not applied yet. It stays here until you apply or discard it, or close this tab.',
    'admin.setup.asking': 'Asking the server…',
    'admin.setup.would': 'Applying will do this:',
    'admin.setup.nothing': 'Nothing would change.',
    'admin.setup.did': 'Applied.',
    'admin.setup.moved':
      'The setup changed since your preview. This is what applying does now. Read it and apply again.',
    'admin.setup.faults': 'The text cannot be applied. Correct these places:',
    'admin.setup.line': 'line {line}',
    'admin.setup.change.created': 'created',
    'admin.setup.change.changed': 'changed',
    'admin.setup.change.unchanged': 'unchanged',
    'admin.setup.unchanged': 'Unchanged: {count}.',
    'admin.setup.left': 'Not in the text, stays as it is:',
    'admin.setup.lost':
      'The connection was lost before the answer. Preview again: what was applied shows as unchanged.',
  },
  it: {
    'admin.setup.what':
      'Magazzini, prodotti, listini, contratti, negozi, regole e impostazioni, come li stampa smista export. Ciò che il testo non nomina resta com’è.',
    'admin.setup.secrets':
      'I segreti non escono mai dal server: qui sono la parola keep, che lascia quello salvato. Per cambiarne uno sostituisci keep.',
    'admin.setup.file':
      'Se usi un file di apply, cambia anche quello: il prossimo apply sovrascrive le modifiche fatte qui. I dati non dicono da dove viene un valore.',
    'admin.setup.applied': 'Applicata l’ultima volta: {at}, da {who}.',
    'admin.setup.neverApplied': 'Il registro che puoi leggere non ha ancora nessun apply.',
    'admin.setup.text': 'Configurazione in YAML',
    'admin.setup.edit': 'Modifica',
    'admin.setup.newCompany': 'Nuova azienda',
    'admin.setup.preview': 'Anteprima',
    'admin.setup.apply': 'Applica esattamente questo',
    'admin.setup.discard': 'Scarta il mio testo',
    'admin.setup.draft':
      'Questo testo non è ancora applicato. Resta qui finché lo applichi, lo scarti o chiudi la scheda.',
    'admin.setup.asking': 'Chiedo al server…',
    'admin.setup.would': 'Applicando succede questo:',
    'admin.setup.nothing': 'Non cambierebbe nulla.',
    'admin.setup.did': 'Applicato.',
    'admin.setup.moved':
      'La configurazione è cambiata dopo l’anteprima. Questo è ciò che succede ora: leggilo e applica di nuovo.',
    'admin.setup.faults': 'Il testo non si può applicare. Correggi questi punti:',
    'admin.setup.line': 'riga {line}',
    'admin.setup.change.created': 'creato',
    'admin.setup.change.changed': 'cambiato',
    'admin.setup.change.unchanged': 'invariato',
    'admin.setup.unchanged': 'Invariati: {count}.',
    'admin.setup.left': 'Non nominato nel testo, resta com’è:',
    'admin.setup.lost':
      'La connessione è caduta prima della risposta. Rifai l’anteprima: ciò che è già applicato risulta invariato.',
  },
} as const;
