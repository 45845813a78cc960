import { useQuery } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import { api, body, type Schema } from '../api/client.ts';
import { may, type Session, timeZoneOf } from '../api/session.ts';
import { formatInstant, t } from '../i18n/index.ts';
import { ProblemNote } from './problem-note.tsx';
import { Scrolled } from './scrolled.tsx';

interface ExchangeProps {
  exchange: Schema['Exchange'];
  session: Session;
}

/** Shows one request to a partner and its answer. The texts are read when a person opens it. */
export function Exchange({ exchange, session }: ExchangeProps) {
  const [isOpen, open] = useState(false);
  const { id, startedAt, operation, status, error, durationMs } = exchange;
  const texts = useQuery({
    queryKey: ['exchange', id],
    queryFn: () => body(api.GET('/api/v1/external/exchanges/{id}', { params: { path: { id } } })),
    enabled: isOpen && may(session, 'exchanges:read'),
  });
  return (
    <details onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>
        {formatInstant(startedAt, timeZoneOf(session))} <code>{operation}</code> {status ?? t('desk.noAnswer')} {error}{' '}
        <span class="quiet">{t('desk.duration', { ms: durationMs })}</span>
      </summary>
      {texts.isError && <ProblemNote error={texts.error} />}
      {texts.data && (
        <>
          <Text name={t('desk.request')} text={texts.data.request} />
          <Text name={t('desk.answer')} text={texts.data.response} />
        </>
      )}
    </details>
  );
}

function Text({ name, text }: { name: string; text: string | null }) {
  return (
    <Scrolled label={name}>
      <strong>{name}</strong>
      {text === null ? <p class="quiet">{t('desk.noText')}</p> : <pre>{text}</pre>}
    </Scrolled>
  );
}
