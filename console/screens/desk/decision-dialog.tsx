import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import { ApiError, api, body } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Linked } from '../../ui/linked.tsx';
import type { Case } from './cases.ts';
import { type Decided, type Decision, decide } from './decide.ts';
import { consequencesOf, nameOf, type Option } from './options.ts';

const TRIES = 3;
const TO_POINT = ['PICKUP_AT_OFFICE', 'PICKUP_AT_LOCKER', 'PICKUP_AT_SHOP'];
const ADDRESS = [
  { name: 'name', label: 'desk.name', of: 'fullName', isRequired: true },
  { name: 'address', label: 'address.street', of: 'address', isRequired: true },
  { name: 'zip', label: 'address.zip', of: 'zip', isRequired: true },
  { name: 'city', label: 'address.city', of: 'city', isRequired: true },
  { name: 'province', label: 'address.province', of: 'state', isRequired: false },
  { name: 'countryCode', label: 'desk.country', of: 'countryCode', isRequired: true },
  { name: 'phone', label: 'desk.phone', of: 'phone', isRequired: false },
] as const;

export interface Asked {
  about: Case;
  option: Option;
}

interface DialogProps {
  asked: Asked;
  onDecided: (decided: Decided) => void;
  onEnd: () => void;
}

/** Says what a decision does, asks for what it needs, and carries it out. It keeps the case that the person saw. */
export function DecisionDialog({ asked: { about, option }, onDecided, onEnd }: DialogProps) {
  const queries = useQueryClient();
  const [isAlready, setAlready] = useState(false);
  const isPortal = option.kind === 'action' && option.via === 'portal';
  const isWrittenDown = isPortal || isAlready;
  const decision = useMutation({
    mutationFn: decide,
    // A lost connection says nothing about the decision; its key makes the repetition harmless.
    retry: (failures, error) => !(error instanceof ApiError) && failures < TRIES,
    onSuccess: onDecided,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['list'] });
      void queries.invalidateQueries({ queryKey: ['order', about.orderId] });
    },
  });
  const submit = async (form: FormData, isTask: boolean): Promise<void> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    decision.mutate({
      ...{ about, option, isTask, isDoneInPortal: isWrittenDown && !isTask },
      trackingNumber: text('trackingNumber'),
      label: await base64Of(form.get('label')),
      pickupPointId: text('pickupPointId'),
      newAddress: form.has('countryCode') ? addressOf(text) : null,
      note: text('note'),
      key: crypto.randomUUID(),
    });
  };
  return (
    <AskDialog
      title={nameOf(option)}
      confirm={isWrittenDown ? t('desk.doneInPortal') : t('desk.confirm')}
      isPending={decision.isPending}
      error={decision.error}
      instead={
        isPortal && about.group === 'open'
          ? { name: t('desk.asTask'), onConfirm: (form) => void submit(form, true) }
          : undefined
      }
      onConfirm={(form) => void submit(form, false)}
      onEnd={onEnd}
    >
      <p>
        {t('order.title', { number: about.orderNumber })}, {about.carrierName} <code>{about.trackingNumber}</code>
      </p>
      <ul>
        {consequencesOf(option, about.carrierName).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        <li>{isWrittenDown ? t('desk.correctable') : t('desk.final')}</li>
      </ul>
      {isPortal && <PortalSteps steps={about.stay?.portalSteps ?? []} />}
      <Fields about={about} option={option} isWrittenDown={isWrittenDown} />
      {option.kind === 'action' && option.via === 'api' && about.stay && (
        <label class="check">
          <input type="checkbox" checked={isAlready} onChange={() => setAlready(!isAlready)} /> {t('desk.already')}
        </label>
      )}
      <label>
        {t('desk.note')}
        <input name="note" maxLength={200} autoComplete="off" />
      </label>
    </AskDialog>
  );
}

export function PortalSteps({ steps }: { steps: readonly string[] }) {
  if (steps.length === 0) return null;
  return (
    <>
      <h3>{t('desk.portal')}</h3>
      <ol>
        {steps.map((step) => (
          <li key={step}>
            <Linked text={step} />
          </li>
        ))}
      </ol>
    </>
  );
}

interface FieldsProps extends Asked {
  isWrittenDown: boolean;
}

/** The values that this decision needs; what was done in the portal needs none. */
function Fields({ about, option, isWrittenDown }: FieldsProps) {
  if (option.kind === 'choice') {
    const isAdopted = option.choice === 'adopt';
    return (
      <>
        {isAdopted && option.reason === 'outcome-unknown' && (
          <label>
            {t('desk.tracking')}
            <input name="trackingNumber" required maxLength={60} autoComplete="off" />
          </label>
        )}
        {isAdopted && (option.reason === 'outcome-unknown' || option.reason === 'label-missing') && (
          <label>
            {t('desk.label')}
            <input name="label" type="file" accept="application/pdf" />
          </label>
        )}
      </>
    );
  }
  if (isWrittenDown) return null;
  if (option.action === 'REDISPATCH_NEW_ADDRESS') return <NewAddress orderId={about.orderId} />;
  if (!TO_POINT.includes(option.action)) return null;
  return (
    <label>
      {t('desk.point')}
      <input name="pickupPointId" required maxLength={60} autoComplete="off" />
    </label>
  );
}

/** Begins with the address that the parcel went to, because mostly one field of it is wrong. */
function NewAddress({ orderId }: { orderId: number }) {
  const order = useQuery({
    queryKey: ['order', orderId],
    queryFn: () => body(api.GET('/api/v1/external/orders/{id}', { params: { path: { id: orderId } } })),
  });
  if (order.isPending) return <p>{t('app.loading')}</p>;
  const known = order.data?.customerAddress;
  return (
    <>
      {ADDRESS.map(({ name, label, of, isRequired }) => (
        <label key={name}>
          {t(label)}
          <input name={name} defaultValue={known?.[of] ?? ''} required={isRequired} autoComplete="off" />
        </label>
      ))}
    </>
  );
}

function addressOf(text: (name: string) => string): Decision['newAddress'] {
  return {
    name: text('name'),
    address: text('address'),
    zip: text('zip'),
    city: text('city'),
    province: text('province'),
    countryCode: text('countryCode'),
    phone: text('phone'),
  };
}

async function base64Of(file: FormDataEntryValue | null): Promise<string | null> {
  if (!(file instanceof File) || file.size === 0) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
