import { describe, expect, it } from 'vitest';
import { listDeliveries, replayEvents } from '../../../src/usecases/events/event-endpoints.ts';
import { queueDueEvents } from '../../../src/usecases/events/queue-due-events.ts';
import { companyId, declare, deliver, deps, happen, later, receiver, row, told, useEvents } from './event-world.ts';

useEvents();

describe('a range of events', () => {
  it('is told again on demand, with what is new before it', async () => {
    const { id } = await declare();
    await happen(5);
    await deliver(id);
    await replayEvents(deps, { companyId, endpointId: id, from: 2, to: 4 });
    await happen(1);
    expect(await queueDueEvents(deps)).toBe(1);
    await deliver(id);

    expect(told()).toEqual([1, 2, 3, 4, 5, 6, 2, 3, 4]);
    expect(receiver.received[6]?.id).toBe(receiver.received[1]?.id);
    expect(await row(id)).toMatchObject({ deliveredSequence: 6, replayFrom: null, replayTo: null });
    const [last] = await listDeliveries(deps, { companyId, endpointId: id, limit: 1, beforeId: null });
    expect(last).toMatchObject({ sequence: 4, isReplay: true });
    expect(await queueDueEvents(deps)).toBe(0);
  });

  it('goes on where it failed', async () => {
    const { id } = await declare();
    await happen(3);
    await deliver(id);
    await replayEvents(deps, { companyId, endpointId: id, from: 1, to: null });
    receiver.answer((response, { body }) => response.writeHead(body.data.sequence === 2 ? 500 : 200).end());
    await deliver(id);
    receiver.answer(200);
    later(20_000);
    await deliver(id);

    expect(told()).toEqual([1, 2, 3, 1, 2, 2, 3]);
  });

  it('ends even if some of its events are of other types', async () => {
    const { id } = await declare({ types: ['order.created'] });
    await happen(2);
    await happen(2, 'shipment.held');
    await deliver(id);
    await replayEvents(deps, { companyId, endpointId: id, from: 2, to: 4 });
    await deliver(id);

    expect(told()).toEqual([1, 2, 2]);
    expect(await row(id)).toMatchObject({ replayFrom: null });
  });

  it('is not forgotten when it is asked for while something new is told', async () => {
    const { id } = await declare();
    await happen(2);
    await deliver(id);
    await happen(2);
    receiver.answer((response, { body }) => {
      const asking =
        body.data.sequence === 3 ? replayEvents(deps, { companyId, endpointId: id, from: 1, to: 1 }) : null;
      Promise.resolve(asking).then(
        () => response.writeHead(200).end(),
        () => response.writeHead(500).end(),
      );
    });
    await deliver(id);
    expect(await row(id)).toMatchObject({ deliveredSequence: 4, replayFrom: 1, replayTo: 1 });
    await deliver(id);

    expect(told()).toEqual([1, 2, 3, 4, 1]);
  });

  it('that fails is not taken for healed by events that are of no interest', async () => {
    const { id } = await declare({ types: ['order.created'] });
    await happen(1);
    await deliver(id);
    await replayEvents(deps, { companyId, endpointId: id, from: 1, to: 1 });
    receiver.answer(500);
    await deliver(id);
    await happen(1, 'shipment.held');
    later(20_000);
    await deliver(id);

    expect(await row(id)).toMatchObject({ deliveredSequence: 2, failures: 2 });
  });

  it('is refused while another is told again, of what was not told yet, and of a disabled endpoint', async () => {
    const { id } = await declare();
    await happen(2);
    await deliver(id);
    const replay = (from: number) => replayEvents(deps, { companyId, endpointId: id, from, to: null });

    await expect(replay(3)).rejects.toMatchObject({ status: 422 });
    await replay(1);
    await expect(replay(1)).rejects.toMatchObject({ code: 'replay-running' });
    await deliver(id);
    receiver.answer(410);
    await happen(1);
    await deliver(id);
    await expect(replay(1)).rejects.toMatchObject({ code: 'endpoint-disabled' });
  });
});
