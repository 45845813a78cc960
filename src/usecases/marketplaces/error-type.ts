import { MARKETPLACE_ERRORS, type MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import type { IntegrationError } from '../../lib/errors.ts';

/** Returns the error type: from the platform's own answer, else from what happened on the wire. */
export function errorTypeOf(error: IntegrationError): MarketplaceErrorType {
  if (error.code in MARKETPLACE_ERRORS) return error.code as MarketplaceErrorType;
  switch (error.code) {
    case 'partner-unreachable':
      return 'network';
    case 'credentials-refused':
      return 'auth_invalid';
    case 'throttled':
      return 'rate_limited';
    case 'account-invalid':
    case 'not-supported':
      return 'configuration';
    case 'not-found-at-partner':
      return 'order_not_found';
    case 'refused':
      return 'validation';
    case 'no-answer':
    case 'answer-too-large':
    case 'partner-broken':
      return error.kind === 'unknown-outcome' ? 'unknown' : 'platform_unavailable';
    default:
      return 'unknown';
  }
}
