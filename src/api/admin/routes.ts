import type { AdminRoute } from './admin-route.ts';
import { companyRoutes } from './company-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { userRoutes } from './user-routes.ts';

/** Every endpoint for admins. */
export const ADMIN_ROUTES: readonly AdminRoute[] = [...companyRoutes, ...keyRoutes, ...userRoutes];
