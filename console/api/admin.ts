import createClient from 'openapi-fetch';
import type { paths } from './admin-types.d.ts';
import { asPerson } from './client.ts';

export type AdminPaths = paths;

/** The API for administrators, with the session of the person. */
export const adminApi = createClient<paths>({ baseUrl: '/' });
adminApi.use(asPerson);
