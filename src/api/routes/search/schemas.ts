import { z } from 'zod';
import { MATCH_KINDS, MATCHED_FIELDS } from '../../../usecases/search/search.ts';
import { Id, Text } from '../../http/schemas.ts';

export const SearchHitFields = z
  .object({
    type: z.enum(['order', 'shipment']),
    id: Id.describe('The id of the order or of the shipment'),
    orderId: Id,
    orderNumber: Text,
    status: Text.describe('The status of the order or of the shipment'),
    matched: z.enum(MATCHED_FIELDS).describe('The field that matched'),
    value: Text.describe('Its content'),
    match: z.enum(MATCH_KINDS),
  })
  .meta({ id: 'SearchHit' });
