import { z } from 'zod';
import { Text } from '../../http/schemas.ts';

const ADDRESS_FIELDS = [
  'SiglaRegione',
  'DescrizioneRegione',
  'SiglaProvincia',
  'DescrizioneProvincia',
  'Cap',
  'Frazione',
  'Comune',
  'Indirizzo',
  'InoltroInProvincia',
  'KmDistanzaSede',
  'Sede',
  'Zona',
  'TempoDiResa',
  'LocalitaDisagiata',
  'ZTL',
  'Express12',
  'IdentPIN',
  'LocalitaSaturdayExpress',
  'GiorniPercorso',
  'SaturdayExpressEffettuabile',
] as const;

export const AddressCheck = z
  .object({
    status: Text,
    message: Text,
    addresses: z.array(
      z.object(
        Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, Text])) as Record<
          (typeof ADDRESS_FIELDS)[number],
          z.ZodString
        >,
      ),
    ),
  })
  .meta({ id: 'AddressCheck' });

export const PickupPoints = z
  .array(
    z.object({
      id: Text,
      name: Text,
      type: z.enum(['locker', 'shop', 'office']),
      address: Text,
      city: Text,
      zip: Text,
      province: Text,
      countryCode: Text,
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      openingHours: Text,
      takesCod: z.boolean().nullable(),
    }),
  )
  .meta({ id: 'PickupPoints' });
