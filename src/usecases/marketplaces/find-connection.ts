import { Connection } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { notFound } from '../../engine/find.ts';

/** Finds a connection of the company that `em` sees. Throws a 404 for any other. */
export async function findConnectionOf(em: Em, id: number): Promise<Connection> {
  const connection = await em.findOne(Connection, { id, deleteFlag: false });
  if (!connection) throw notFound('marketplace connection');
  return connection;
}
