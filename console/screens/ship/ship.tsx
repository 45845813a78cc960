import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { stationsOf, usePrinters } from '../../api/printers.ts';
import { may, type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import { soundAlarm } from './alarm.ts';
import { Label, useTypedKey } from './label.tsx';
import { PackOrder } from './pack-order.tsx';
import { ScanBox } from './scan-box.tsx';
import { type Station, useStation } from './station.ts';
import { Unprinted } from './unprinted.tsx';
import { type Note, type Packing, usePacking } from './use-packing.ts';

/** Shows the packing station: scan an order, scan its products, buy and print the label, scan the next one. */
export default function Ship({ session }: { session: Session }) {
  return (
    <>
      <h1>{t('nav.ship')}</h1>
      {may(session, 'shipments:write') ? (
        <PackingStation session={session} />
      ) : (
        <>
          <p class="quiet">{t('ship.readOnly')}</p>
          <Unprinted timeZone={timeZoneOf(session)} show={null} />
        </>
      )}
    </>
  );
}

function PackingStation({ session }: { session: Session }) {
  const [station, set] = useStation();
  const packing = usePacking(station, set);
  const box = useRef<HTMLInputElement>(null);
  const focusBox = (): void => box.current?.focus();
  const { phase, note, isLost } = packing;
  useTypedKey('F2', () => packing.purchase(true));
  useTypedKey('Escape', packing.leave);
  return (
    <>
      <ScanBox box={box} phase={phase} packing={packing} />
      <NoteShown note={note} />
      <p role="status">{isLost && <strong class="doubts">{t('ship.offline')}</strong>}</p>
      {phase.name === 'choose' && <Choices phase={phase} packing={packing} />}
      {phase.name === 'pack' && (
        <PackOrder
          phase={phase}
          packing={packing}
          station={station}
          mayMeasure={may(session, 'orders:write')}
          onDone={focusBox}
        />
      )}
      {phase.name === 'label' && (
        <section aria-label={t('order.title', { number: phase.number })}>
          <h2>
            {t('order.title', { number: phase.number })} <code>{phase.bought.trackingNumber}</code>
          </h2>
          {phase.printedAt !== null && (
            <p class="doubts">{t('ship.printedBefore', { at: formatInstant(phase.printedAt, timeZoneOf(session)) })}</p>
          )}
          <Label
            key={phase.bought.shipmentId}
            shipmentId={phase.bought.shipmentId}
            printsAt={station.printsAt}
            printsAtOnce={phase.printsAtOnce}
            isPrinted={phase.printedAt !== null}
            onPrinted={focusBox}
            onTrouble={() => {
              packing.hush();
              if (!station.isMuted) soundAlarm();
            }}
          />
        </section>
      )}
      <Unprinted timeZone={timeZoneOf(session)} show={packing.show} />
      <Settings station={station} set={set} />
    </>
  );
}

/** Tells what the last scan did. Both regions are always there, because screen readers announce only their changes. */
function NoteShown({ note }: { note: Note | null }) {
  const texts = note?.texts.map((text) => <span key={text}>{text} </span>);
  return (
    <>
      <div role="alert" class={note?.isAlarm ? 'loud' : ''}>
        {note?.isAlarm && (
          <p>
            {texts}
            {note.deskId && (
              <Link class="onward" href={`/desk?shipment=${note.deskId}`}>
                {t('ship.toDesk')}
              </Link>
            )}
          </p>
        )}
      </div>
      <div role="status" class={note && !note.isAlarm ? 'calm' : ''}>
        {note && !note.isAlarm && <p>{texts}</p>}
      </div>
      {note?.error && <ProblemNote error={note.error} />}
    </>
  );
}

function Choices({ phase, packing }: { phase: Packing['phase'] & { name: 'choose' }; packing: Packing }) {
  return (
    <ol class="choices">
      {phase.hits.map(({ id, number, status }, index) => (
        <li key={id}>
          <button type="button" onClick={() => packing.press(String(index + 1))}>
            <kbd>{index + 1}</kbd> {t('order.title', { number })}
          </button>
          <Status status={status} />
        </li>
      ))}
    </ol>
  );
}

const SETTINGS = [
  { name: 'checksProducts', label: 'ship.checks' },
  { name: 'printsAtOnce', label: 'ship.atOnce' },
  { name: 'isMuted', label: 'ship.muted' },
] as const;

function Settings({ station, set }: { station: Station; set: (change: Partial<Station>) => void }) {
  return (
    <fieldset class="station">
      <legend>{t('ship.settings')}</legend>
      {SETTINGS.map(({ name, label }) => (
        <label key={name} class="check">
          <input type="checkbox" checked={station[name]} onChange={() => set({ [name]: !station[name] })} /> {t(label)}
        </label>
      ))}
      <PrintsAt station={station} set={set} />
    </fieldset>
  );
}

/** Chooses what prints. A station that has no printer any longer stays chosen, so that nothing is printed elsewhere unseen. */
function PrintsAt({ station, set }: { station: Station; set: (change: Partial<Station>) => void }) {
  const printers = usePrinters();
  const names = [...stationsOf(printers.data ?? []).keys()];
  const { printsAt } = station;
  const all = printsAt === '' || names.includes(printsAt) ? names : [...names, printsAt];
  if (all.length === 0) return null;
  return (
    <label>
      {t('ship.printsAt')}{' '}
      <select value={printsAt} onChange={({ currentTarget }) => set({ printsAt: currentTarget.value })}>
        <option value="">{t('ship.thisBrowser')}</option>
        {all.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
