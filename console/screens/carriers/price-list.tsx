import { useMutation } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import { formatDay, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import {
  type Answered,
  type Contract,
  type PriceListImport,
  previewList,
  type Side,
  type Upload,
} from './carriers-api.ts';
import { ListChanges } from './list-changes.tsx';
import { UseList } from './use-list.tsx';

export const FILE_BOX = 'price-list-file';

/** Takes a file of prices, shows what it would change, and writes it once a person agrees. */
export function PriceList({ contract }: { contract: Contract }) {
  const [upload, setUpload] = useState<Upload | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState<Answered<PriceListImport> | null>(null);
  const preview = useMutation({ mutationFn: previewList });
  if (contract.tariff === null) return <p class="quiet">{t('carriers.noTariff')}</p>;
  const show = (form: HTMLFormElement): void => {
    const fields = new FormData(form);
    const file = fields.get('file') as File;
    const next = { contract, file, from: String(fields.get('from') ?? ''), side: fields.get('side') as Side };
    setUpload(next);
    setDone(null);
    preview.mutate(next);
  };
  // A preview of other fields than those on the screen would mislead.
  const forget = (): void => {
    setUpload(null);
    preview.reset();
  };
  const shown = upload && preview.data?.result;
  return (
    <>
      <p class="quiet">{t('carriers.fileHint')}</p>
      <form
        class="filters"
        onChange={forget}
        onSubmit={(event) => {
          event.preventDefault();
          show(event.currentTarget);
        }}
      >
        <label>
          {t('carriers.file')} <kbd>p</kbd>
          <input id={FILE_BOX} type="file" name="file" accept=".csv,.xlsx" required aria-keyshortcuts="p" />
        </label>
        <label>
          {t('carriers.firstDay')}
          <input type="date" name="from" />
        </label>
        <label>
          {t('carriers.side')}
          <select name="side">
            <option value="sale">{t('carriers.side.sale')}</option>
            <option value="purchase">{t('carriers.side.purchase')}</option>
          </select>
        </label>
        <button type="submit" class="main" aria-disabled={preview.isPending}>
          {t('carriers.preview')}
        </button>
      </form>
      {preview.isPending && <p role="status">{t('carriers.reading')}</p>}
      {preview.isError && <ProblemNote error={preview.error} />}
      {done && <Written answer={done} />}
      {shown && upload && (
        <section aria-label={t('carriers.previewOf', { file: upload.file.name })}>
          <h3>{t('carriers.previewOf', { file: upload.file.name })}</h3>
          <ListChanges list={shown} />
          {shown.change !== null && shown.change !== 'unchanged' && (
            <button type="button" class="main" onClick={() => setAsking(true)}>
              {t('carriers.use')}
            </button>
          )}
        </section>
      )}
      {isAsking && upload && shown && (
        <UseList
          upload={upload}
          seen={shown}
          onDone={(answer) => {
            setDone(answer);
            setAsking(false);
            forget();
          }}
          onEnd={() => setAsking(false)}
        />
      )}
    </>
  );
}

function Written({ answer: { result, requestId } }: { answer: Answered<PriceListImport> }) {
  const { name, from, counts } = result;
  const since = from === null ? t('carriers.always') : t('carriers.from', { day: formatDay(from) });
  return (
    <section role="status" class="calm">
      <p>{t('carriers.written', { name: name ?? '', since })}</p>
      <p>{t('carriers.counts', counts)}</p>
      <p class="quiet">{t('problem.request', { id: requestId })}</p>
    </section>
  );
}
