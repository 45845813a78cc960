import type { Migration } from '@mikro-orm/migrations';
import { Initial20261121 } from './20261121-initial.ts';

/** In the order they run. Append only. */
export const migrations: { name: string; class: new (...args: never[]) => Migration }[] = [
  { name: '20261121-initial', class: Initial20261121 },
];
