import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Schema } from '../../api/client.ts';
import { may, type Session } from '../../api/session.ts';
import { t } from '../../i18n/index.ts';
import { JoinOrders } from './join-orders.tsx';
import { LeaveJoin } from './leave-join.tsx';
import { MeasureParcels } from './measure-parcels.tsx';
import { Parts } from './parts.tsx';
import { SplitOrder } from './split-order.tsx';

interface DivisionProps {
  detail: Schema['OrderDetail'];
  session: Session;
}

/** Shows how an order travels: whole, in parts, or with others. What was done last stays on the page with its request. */
export function Division({ detail, session }: DivisionProps) {
  const [asked, ask] = useState<'measure' | 'split' | 'join' | 'leave' | null>(null);
  const [said, say] = useState<string | null>(null);
  const { order, parts, joinedInto, joinedOrderIds } = detail;
  const isJoined = joinedInto !== null || joinedOrderIds.length > 0;
  const isWaiting = order.status === 'pending' || order.status === 'error';
  const isWhole = parts.length === 0;
  const hasOpenPart = parts.some(({ shipmentId }) => shipmentId === null);
  const mayWrite = may(session, 'orders:write');
  const end = (): void => ask(null);
  const done = (text: string): void => {
    say(text);
    end();
  };
  const others = joinedInto === null ? joinedOrderIds : [joinedInto];
  return (
    <>
      {isJoined && (
        <p>
          {t('join.travels')}{' '}
          {others.map((id) => (
            <Link key={id} href={`/orders/${id}`}>
              {t('join.order', { id })}{' '}
            </Link>
          ))}
        </p>
      )}
      {!isWhole && <Parts detail={detail} session={session} onDone={say} />}
      {mayWrite && (
        <div class="actions">
          {isWhole && isWaiting && !isJoined && (
            <button type="button" onClick={() => ask('measure')}>
              {t('parcels.title')}
            </button>
          )}
          {!isJoined && ((isWhole && isWaiting) || hasOpenPart) && (
            <button type="button" onClick={() => ask('split')}>
              {t('split.title')}
            </button>
          )}
          {!isJoined && isWhole && isWaiting && (
            <button type="button" onClick={() => ask('join')}>
              {t('join.title')}
            </button>
          )}
          {isJoined && isWaiting && (
            <button type="button" onClick={() => ask('leave')}>
              {t('join.leave')}
            </button>
          )}
        </div>
      )}
      <p role="status">{said}</p>
      {asked === 'measure' && <MeasureParcels orderId={order.id} onDone={done} onEnd={end} />}
      {asked === 'split' && <SplitOrder orderId={order.id} onDone={done} onEnd={end} />}
      {asked === 'join' && <JoinOrders detail={detail} onDone={done} onEnd={end} />}
      {asked === 'leave' && <LeaveJoin detail={detail} onDone={done} onEnd={end} />}
    </>
  );
}
