import type { Route } from '../../src/api/http/route.ts';

/** Returns the path of an endpoint with an id that no row has. A stream ends after a second. */
export function pathOf({ path, isEndless }: Pick<Route, 'path' | 'isEndless'>, id = '987654321'): string {
  return `${path.replaceAll(/\{\w+\}/g, id)}${isEndless ? '?seconds=1' : ''}`;
}
