import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { createFrontDoor } from '../../src/api/front-door.ts';

it('closes connections that no request came through, without waiting for its deadline', async () => {
  const door = createFrontDoor();
  await new Promise<void>((resolve) => door.server.listen(0, '127.0.0.1', resolve));
  const { port } = door.server.address() as AddressInfo;
  const answer = Promise.withResolvers<void>();
  door.open((_request, response) => void answer.promise.then(() => response.end('late')));
  const silent = connect(port, '127.0.0.1');
  const asking = fetch(`http://127.0.0.1:${port}/`);
  await Promise.all([once(silent, 'connect'), once(door.server, 'request')]);

  const closed = door.close(60_000);
  await once(silent.resume(), 'close');
  answer.resolve();

  expect(await (await asking).text()).toBe('late');
  await closed;
});
