import { z } from 'zod';
import { DateTime, Id, Text } from '../../http/schemas.ts';

export const DocumentList = z
  .array(
    z.object({
      id: Id,
      kind: z.enum(['label', 'return_label', 'customs_invoice', 'manifest']),
      contentType: Text,
      size: z.number().int(),
      createdAt: DateTime,
      url: Text,
    }),
  )
  .meta({ id: 'DocumentList' });
