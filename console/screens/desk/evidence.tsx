import { useQuery } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import { api, body } from '../../api/client.ts';
import { may, type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import type { Attention } from './cases.ts';

/** Shows the last attempts with their exchanges. A text is read when a person opens its exchange. */
export function Evidence({ attention, session }: { attention: Attention; session: Session }) {
  const timeZone = timeZoneOf(session);
  const { attempts, exchanges } = attention;
  if (attempts.length === 0 && exchanges.length === 0) return null;
  return (
    <section>
      <h3>{t('desk.evidence')}</h3>
      <Scrolled label={t('desk.attempts')}>
        <table>
          <caption class="quiet">{t('desk.attempts')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('desk.when')}</th>
              <th scope="col">{t('desk.what')}</th>
              <th scope="col">{t('desk.outcome')}</th>
              <th scope="col">{t('desk.words')}</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map(({ id, startedAt, operation, outcome, code, message }) => (
              <tr key={id}>
                <td>{formatInstant(startedAt, timeZone)}</td>
                <td>{operation}</td>
                <td>{outcome}</td>
                <td class="words">
                  {code && <code>{code}</code>} {message}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {exchanges.length > 0 && <h4 class="quiet">{t('desk.exchanges')}</h4>}
      {exchanges.map((exchange) => (
        <Exchange key={exchange.id} exchange={exchange} session={session} />
      ))}
    </section>
  );
}

interface ExchangeProps {
  exchange: Attention['exchanges'][number];
  session: Session;
}

function Exchange({ exchange, session }: ExchangeProps) {
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
      <h5>{name}</h5>
      {text === null ? <p class="quiet">{t('desk.noText')}</p> : <pre>{text}</pre>}
    </Scrolled>
  );
}
