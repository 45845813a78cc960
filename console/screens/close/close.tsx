import { useState } from 'preact/hooks';
import { may, type Session, timeZoneOf } from '../../api/session.ts';
import { t } from '../../i18n/index.ts';
import { useKeys } from '../../ui/keys.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Borderos, PrintLink } from './borderos.tsx';
import { type Made, MakeBorderos } from './make-borderos.tsx';
import { keyOf, nameOf, type OpenGroup, totalsOf, transmittable, useOpenGroups } from './open-groups.ts';
import { AskPickup, Pickups } from './pickups.tsx';
import { TransmissionNote, Untransmitted, useTransmission } from './untransmitted.tsx';

/** Shows the end of the day: transmit what is left, make the borderos, print them, ask for the courier. */
export default function Close({ session }: { session: Session }) {
  const list = useOpenGroups();
  const transmission = useTransmission();
  const [isMaking, make] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const [fetched, fetchWith] = useState<OpenGroup | null>(null);
  const groups = list.data ?? [];
  const ready = transmittable(groups);
  const mayTransmit = may(session, 'shipments:write') && ready.size > 0 && !transmission.isBusy;
  const mayMake = may(session, 'manifests:write') && groups.some(({ open }) => open.shipments > 0);
  const timeZone = timeZoneOf(session);
  useKeys({
    t: () => mayTransmit && transmission.start(ready),
    b: () => mayMake && make(true),
  });
  return (
    <>
      <h1>{t('close.title')}</h1>
      <div class="actions">
        {mayTransmit && (
          <button type="button" aria-keyshortcuts="t" onClick={() => transmission.start(ready)}>
            {t('close.transmitAll', { count: ready.size })}
          </button>
        )}
        {mayMake && (
          <button type="button" class="main" aria-keyshortcuts="b" onClick={() => make(true)}>
            {t('close.make')}
          </button>
        )}
      </div>
      <TransmissionNote transmission={transmission} />
      {made && <MadeNote made={made} />}
      {list.isPending && <p>{t('app.loading')}</p>}
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && groups.length === 0 && <p class="empty">{t('close.empty')}</p>}
      <div class="columns">
        {groups.map((group) => (
          <Group
            key={keyOf(group)}
            group={group}
            session={session}
            isBusy={transmission.isBusy}
            transmit={() => transmission.start(transmittable([group]))}
            fetch={() => fetchWith(group)}
          />
        ))}
      </div>
      <Borderos timeZone={timeZone} />
      <Pickups session={session} />
      {isMaking && (
        <MakeBorderos
          onEnd={() => make(false)}
          onMade={(next) => {
            setMade(next);
            make(false);
          }}
        />
      )}
      {fetched && <AskPickup group={fetched} timeZone={timeZone} onEnd={() => fetchWith(null)} />}
    </>
  );
}

function MadeNote({ made: { manifests, requestId } }: { made: Made }) {
  return (
    <section role="status">
      <ul class="cards">
        {manifests.map(({ manifestId, manifestNumber, totalShipments }) => (
          <li key={manifestId}>
            {t('close.made', { number: manifestNumber, shipments: totalShipments })}{' '}
            <PrintLink id={manifestId} number={manifestNumber} />
          </li>
        ))}
      </ul>
      <p class="quiet">{t('problem.request', { id: requestId })}</p>
    </section>
  );
}

interface GroupProps {
  group: OpenGroup;
  session: Session;
  isBusy: boolean;
  transmit: () => void;
  fetch: () => void;
}

/** Shows one contract at one warehouse. */
function Group({ group, session, isBusy, transmit, fetch }: GroupProps) {
  const { open, onBordero, takesPickups } = group;
  const count = transmittable([group]).size;
  return (
    <section aria-label={nameOf(group)}>
      <h2>{nameOf(group)}</h2>
      {open.shipments > 0 && (
        <p>
          <strong>{t('close.open')}</strong>: {totalsOf(open)}
        </p>
      )}
      {onBordero.shipments > 0 && <p>{t('close.onBordero', { shipments: onBordero.shipments })}</p>}
      <Untransmitted group={group} />
      <div class="actions">
        {count > 0 && may(session, 'shipments:write') && (
          <button type="button" disabled={isBusy} onClick={transmit}>
            {t('close.transmit', { count })}
          </button>
        )}
        {takesPickups && may(session, 'pickups:write') && (
          <button type="button" onClick={fetch}>
            {t('close.ask')}
          </button>
        )}
      </div>
      {!takesPickups && <p class="quiet">{t('close.byAgreement')}</p>}
    </section>
  );
}
