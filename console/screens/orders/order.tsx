import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { sendBatch } from '../../api/batches.ts';
import { api, body, type Schema } from '../../api/client.ts';
import { may, type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, formatMoney, formatNumber, t } from '../../i18n/index.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { Status } from '../../ui/status.tsx';
import { AddressForm } from './address-form.tsx';
import { CancelOrder } from './cancel-order.tsx';
import { Division } from './division.tsx';
import { Documents } from './documents.tsx';
import { Exchanges } from './exchanges.tsx';
import { Prices } from './prices.tsx';
import { Timeline } from './timeline.tsx';
import { Tracking } from './tracking.tsx';

type OrderDetail = Schema['OrderDetail'];

/** Everything about one order on one page. */
export default function Order({ id, session }: { id: number; session: Session }) {
  const order = useQuery({
    queryKey: ['order', id],
    queryFn: () => body(api.GET('/api/v1/external/orders/{id}', { params: { path: { id } } })),
  });
  if (order.isPending) return <p>{t('app.loading')}</p>;
  if (order.isError) return <ProblemNote error={order.error} retry={() => void order.refetch()} />;
  return <OrderPage detail={order.data} session={session} />;
}

function OrderPage({ detail, session }: { detail: OrderDetail; session: Session }) {
  const { order } = detail;
  return (
    <>
      <p>
        <Link href="/orders">{t('nav.orders')}</Link>
      </p>
      <h1>
        {t('order.title', { number: order.orderNumber })} <Status status={order.status} />
      </h1>
      {detail.error && <p class="problem">{detail.error}</p>}
      <Actions detail={detail} session={session} />
      <Division detail={detail} session={session} />
      <div class="columns">
        <Recipient detail={detail} session={session} />
        <Shipments detail={detail} session={session} />
      </div>
      <Lines detail={detail} />
      <Timeline detail={detail} session={session} />
      {isOpen(order.status) && <Prices orderId={order.id} session={session} />}
    </>
  );
}

/** Returns true while an order may still be shipped. */
function isOpen(status: string): boolean {
  return status === 'pending' || status === 'error';
}

function Actions({ detail, session }: { detail: OrderDetail; session: Session }) {
  const queries = useQueryClient();
  const { id, status } = detail.order;
  const ship = useMutation({
    mutationFn: () => sendBatch('/shipment/create', [{ orderId: id }]),
    onSettled: () => queries.invalidateQueries({ queryKey: ['order', id] }),
  });
  const [failed] = ship.data?.details.errors ?? [];
  return (
    <div class="actions">
      {may(session, 'shipments:write') && isOpen(status) && (
        <button type="button" class="main" disabled={ship.isPending} onClick={() => ship.mutate()}>
          {ship.isPending ? t('order.shipping') : t('order.ship')}
        </button>
      )}
      {may(session, 'orders:write') && status !== 'cancelled' && <CancelOrder detail={detail} />}
      {failed && (
        <p class="problem" role="alert">
          {failed.message}
        </p>
      )}
      {ship.error && <ProblemNote error={ship.error} />}
    </div>
  );
}

function Recipient({ detail, session }: { detail: OrderDetail; session: Session }) {
  const [isEdited, edit] = useState(false);
  const { customerAddress: address, customer, addressDoubts } = detail;
  return (
    <section>
      <h2>{t('order.recipient')}</h2>
      {isEdited ? (
        <AddressForm detail={detail} onEnd={() => edit(false)} />
      ) : (
        <>
          <address>
            {address.fullName}
            {address.company && address.company !== address.fullName && <br />}
            {address.company !== address.fullName && address.company}
            <br />
            {address.address} {address.address2}
            <br />
            {address.zip} {address.city} {address.state} {address.countryCode}
            <br />
            {address.phone || customer.phone} {customer.email}
          </address>
          {addressDoubts.length > 0 && (
            <ul class="doubts">
              {addressDoubts.map(({ pointer, message, suggestion }) => (
                <li key={pointer + message}>
                  {message} {suggestion && <strong>{suggestion}</strong>}
                </li>
              ))}
            </ul>
          )}
          {may(session, 'orders:write') && (
            <button type="button" onClick={() => edit(true)}>
              {t('order.correct')}
            </button>
          )}
        </>
      )}
      {detail.order.buyerOrderNote && (
        <p>
          <strong>{t('order.note')}:</strong> {detail.order.buyerOrderNote}
        </p>
      )}
    </section>
  );
}

function Shipments({ detail, session }: { detail: OrderDetail; session: Session }) {
  const timeZone = timeZoneOf(session);
  return (
    <section>
      <h2>{t('order.shipments')}</h2>
      {detail.shipments.length === 0 && <p class="empty">{t('order.noShipments')}</p>}
      <ul class="cards">
        {detail.shipments.map((shipment) => (
          <li key={shipment.id}>
            <Status status={shipment.status} /> <code>{shipment.trackingNumber}</code>
            <br />
            <span class="quiet">{formatInstant(shipment.createdAt, timeZone)}</span>{' '}
            {shipment.trackingNumber && (
              <a href={`/api/v1/external/shipment/${shipment.id}/label`} target="_blank" rel="noreferrer">
                {t('order.label')}
              </a>
            )}
            {shipment.error && <p class="problem">{shipment.error}</p>}
            {shipment.trackingNumber && may(session, 'documents:read') && may(session, 'shipments:read') && (
              <Disclosure
                title={t('documents.title')}
                content={() => <Documents orderId={detail.order.id} shipment={shipment} session={session} />}
              />
            )}
            {may(session, 'exchanges:read') && may(session, 'shipments:read') && (
              <Disclosure
                title={t('exchanges.title')}
                content={() => <Exchanges orderId={detail.order.id} shipmentId={shipment.id} session={session} />}
              />
            )}
            {shipment.trackingNumber && (
              <Disclosure
                title={t('order.tracking')}
                content={() => <Tracking orderId={detail.order.id} shipmentId={shipment.id} />}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Lines({ detail: { order, orderItems } }: { detail: OrderDetail }) {
  return (
    <section>
      <h2>{t('order.lines')}</h2>
      <Scrolled label={t('order.lines')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('order.product')}</th>
              <th scope="col">{t('order.sku')}</th>
              <th scope="col" class="number">
                {t('order.quantity')}
              </th>
              <th scope="col" class="number">
                {t('order.price')}
              </th>
            </tr>
          </thead>
          <tbody>
            {orderItems.map((item) => (
              <tr key={item.id}>
                <td>{item.title}</td>
                <td>
                  <code>{item.sku}</code>
                </td>
                <td class="number">{formatNumber(item.quantity)}</td>
                <td class="number">{formatMoney(item.totalAmountGross, order.currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </section>
  );
}
