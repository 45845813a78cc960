import type { AdminRoute } from './admin-route.ts';
import { applyRoutes } from './apply-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { companyRoutes } from './company-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { personRoutes } from './person-routes.ts';
import { userRoutes } from './user-routes.ts';

/** Every endpoint for admins. */
export const ADMIN_ROUTES: readonly AdminRoute[] = [
  ...applyRoutes,
  ...companyRoutes,
  ...keyRoutes,
  ...userRoutes,
  ...personRoutes,
  ...auditRoutes,
];
