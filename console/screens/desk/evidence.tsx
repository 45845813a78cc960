import { type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, t } from '../../i18n/index.ts';
import { Exchange } from '../../ui/exchange.tsx';
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
