import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { may, type Session, timeZoneOf } from '../../api/session.ts';
import { t } from '../../i18n/index.ts';
import { useKeys } from '../../ui/keys.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { AnswerNote } from './answer-note.tsx';
import { AskShop } from './ask-shop.tsx';
import { Confirmations } from './confirmations.tsx';
import { Failures } from './failures.tsx';
import { ShopFacts } from './shop-facts.tsx';
import { type Answer, type Question, useShops } from './shops-api.ts';

/** Shows the company's shops: their imports, the orders that did not come in, and what each shop was told. */
export default function Shops({ session }: { session: Session }) {
  const list = useShops();
  const [filters, setFilters] = useSearchParams();
  const [question, put] = useState<Question | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const shops = list.data ?? [];
  const chosen = shops.find(({ connectionId }) => String(connectionId) === filters.get('shop')) ?? shops[0];
  const mayAsk = may(session, 'marketplaces:write');
  const askAbout = (kind: 'verify' | 'import') => () => mayAsk && chosen && put({ kind, shop: chosen });
  // Moves among the buttons of the rows: Enter then presses the one that has the focus.
  const move = (step: 1 | -1) => () => {
    const rows = [...document.querySelectorAll<HTMLElement>('main tbody button')];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    rows[at === -1 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus();
  };
  useKeys({ i: askAbout('import'), v: askAbout('verify'), j: move(1), k: move(-1) });
  const timeZone = timeZoneOf(session);
  return (
    <>
      <h1>{t('shops.title')}</h1>
      {answer && <AnswerNote answer={answer} />}
      {list.isPending && <p>{t('app.loading')}</p>}
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && shops.length === 0 && <p class="empty">{t('shops.empty')}</p>}
      <div class="columns">
        {shops.map((shop) => (
          <ShopFacts
            key={shop.connectionId}
            shop={shop}
            timeZone={timeZone}
            isChosen={shop === chosen}
            isAlone={shops.length === 1}
            ask={mayAsk ? put : null}
            choose={() => setFilters({ shop: String(shop.connectionId) }, { replace: true })}
          />
        ))}
      </div>
      {chosen && (
        <>
          <Failures
            key={`failures ${chosen.connectionId}`}
            shop={chosen}
            timeZone={timeZone}
            ask={mayAsk ? put : null}
          />
          <Confirmations key={chosen.connectionId} shop={chosen} timeZone={timeZone} ask={mayAsk ? put : null} />
        </>
      )}
      {question && (
        <AskShop
          question={question}
          timeZone={timeZone}
          onAnswer={(next) => {
            setAnswer(next);
            put(null);
          }}
          onEnd={() => put(null)}
        />
      )}
    </>
  );
}
