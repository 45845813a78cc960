import type { CompanyLimits } from '../../db/entities/index.ts';
import type { DEFAULT_SETTINGS } from './apply-document.ts';

type DeclaredLimits = (typeof DEFAULT_SETTINGS)['limits'];

/** Returns the limits of a company as they are stored. */
export function storedLimits(declared: DeclaredLimits): CompanyLimits {
  return withoutAbsent({
    pointsPerMinute: declared.points_per_minute,
    concurrentRequests: declared.concurrent_requests,
    share: declared.share,
  });
}

/** Returns the limits of a company as an apply file declares them. */
export function declaredLimits(limits: CompanyLimits = {}): DeclaredLimits {
  return withoutAbsent({
    points_per_minute: limits.pointsPerMinute,
    concurrent_requests: limits.concurrentRequests,
    share: limits.share,
  });
}

function withoutAbsent<Limits extends Record<string, number | undefined>>(limits: Limits) {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Limits]?: number;
  };
}
