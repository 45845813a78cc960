import { z } from 'zod';
import { freeObject, Id, NullableText, Text } from '../../http/schemas.ts';

export const ReleaseResult = z
  .object({
    success: z.boolean(),
    message: Text,
    summary: z.object({
      requested: z.number().int(),
      succeeded: z.number().int(),
      failed: z.number().int(),
    }),
    blockingError: NullableText,
    items: z.array(
      z.object({
        shipmentId: Id,
        carrierShipmentReference: Text,
        success: z.boolean(),
        message: Text,
        raw: freeObject("The carrier's answer as parsed; its fields differ by carrier"),
      }),
    ),
  })
  .meta({ id: 'ReleaseResult' });
