import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { may, type Session, timeZoneOf } from '../../api/session.ts';
import { t } from '../../i18n/index.ts';
import { useKeys } from '../../ui/keys.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { contractName } from '../today/counts.ts';
import { type Answered, type Check, type Contract, useContracts } from './carriers-api.ts';
import { CheckDialog, CheckNote } from './check-dialog.tsx';
import { ContractFacts } from './contract-facts.tsx';
import { FILE_BOX, PriceList } from './price-list.tsx';
import { WHAT_IF_BUTTON, WhatIfPrices } from './what-if.tsx';

const PRICES = 'prices-of-contract';

/** Shows the company's carrier contracts: whether they work, their prices, and what other prices would cost. */
export default function Carriers({ session }: { session: Session }) {
  const list = useContracts();
  const [filters, setFilters] = useSearchParams();
  const [asked, ask] = useState<Contract | null>(null);
  const [answer, setAnswer] = useState<{ contract: Contract; answered: Answered<Check> } | null>(null);
  const contracts = list.data ?? [];
  const at = Math.max(
    0,
    contracts.findIndex(({ carrierCompanyId }) => String(carrierCompanyId) === filters.get('contract')),
  );
  const chosen = contracts[at];
  const mayCheck = may(session, 'partners:write');
  const mayPrice = may(session, 'tariffs:write');
  const choose = (next: Contract | undefined): void => {
    if (next) setFilters({ contract: String(next.carrierCompanyId) }, { replace: true });
  };
  useKeys({
    v: () => mayCheck && chosen?.isVerifiable && ask(chosen),
    j: () => choose(contracts[at + 1]),
    k: () => choose(contracts[at - 1]),
    p: () => document.getElementById(FILE_BOX)?.focus(),
    w: () => document.getElementById(WHAT_IF_BUTTON)?.click(),
  });
  const timeZone = timeZoneOf(session);
  return (
    <>
      <h1>{t('carriers.title')}</h1>
      {answer && <CheckNote contract={answer.contract} answer={answer.answered} />}
      {list.isPending && <p>{t('app.loading')}</p>}
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && contracts.length === 0 && <p class="empty">{t('carriers.empty')}</p>}
      <div class="columns">
        {contracts.map((contract) => (
          <ContractFacts
            key={contract.carrierCompanyId}
            contract={contract}
            timeZone={timeZone}
            isChosen={contract === chosen}
            isAlone={contracts.length === 1}
            check={mayCheck ? () => ask(contract) : null}
            choose={() => {
              choose(contract);
              // They lie below all contracts, and the next Tab goes on there.
              document.getElementById(PRICES)?.focus();
            }}
          />
        ))}
      </div>
      {chosen && (
        <div class="prices">
          <h2 id={PRICES} tabIndex={-1}>
            {t('carriers.pricesTitle', { contract: contractName(chosen) })}
          </h2>
          {mayPrice ? (
            <PriceList key={chosen.carrierCompanyId} contract={chosen} />
          ) : (
            <p class="quiet">{t('carriers.onlyAdmins')}</p>
          )}
          <WhatIfPrices key={`what-if ${chosen.carrierCompanyId}`} contract={chosen} timeZone={timeZone} />
        </div>
      )}
      {asked && (
        <CheckDialog
          contract={asked}
          onAnswer={(answered) => {
            setAnswer({ contract: asked, answered });
            ask(null);
          }}
          onEnd={() => ask(null)}
        />
      )}
    </>
  );
}
