import { t } from '../../i18n/index.ts';

export const FIELDS = ['actor', 'operation', 'target', 'from', 'to'] as const;

interface AuditFiltersProps {
  filters: URLSearchParams;
  /** Keys and people, as the log names them, with words. */
  actors: readonly (readonly [string, string])[];
  set: (filters: Record<string, string>) => void;
}

/** Asks who, what, on what and when. The address of the page keeps the answers. */
export function AuditFilters({ filters, actors, set }: AuditFiltersProps) {
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        const kept = FIELDS.map((name) => [name, String(form.get(name) ?? '').trim()]);
        const scope = filters.get('of');
        set(Object.fromEntries([...kept, ['of', scope ?? '']].filter(([, value]) => value !== '')));
      }}
    >
      <label>
        {t('admin.who')}
        <input name="actor" list="actors" defaultValue={filters.get('actor') ?? ''} placeholder="user:7" />
      </label>
      <datalist id="actors">
        {actors.map(([id, words]) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </datalist>
      <label>
        {t('admin.what')}
        <input name="operation" defaultValue={filters.get('operation') ?? ''} placeholder="postOrders" />
      </label>
      <label>
        {t('admin.target')}
        <input
          name="target"
          pattern="[\w\-]{1,40}:[\w.:\-]{1,200}"
          title={t('admin.targetShape')}
          defaultValue={filters.get('target') ?? ''}
          placeholder="order:12"
        />
      </label>
      <label>
        {t('admin.from')}
        <input name="from" type="date" defaultValue={filters.get('from') ?? ''} />
      </label>
      <label>
        {t('admin.to')}
        <input name="to" type="date" defaultValue={filters.get('to') ?? ''} />
      </label>
      <button type="submit">{t('admin.search')}</button>
      <button type="button" onClick={() => set({})}>
        {t('orders.unfilter')}
      </button>
    </form>
  );
}
