import { z } from 'zod';
import { listContracts } from '../../../usecases/partners/read-lists.ts';
import { iso } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { carrierBody } from './carrier-body.ts';
import { CarrierContract } from './schemas.ts';

export const listContractsRoute = defineRoute({
  method: 'get',
  scope: 'partners:read',
  path: '/carriers/contracts',
  tag: 'Carriers',
  summary: 'List carrier contracts',
  description: 'maxWeight is in kilograms; secrets in configFields are masked.',
  responses: { 200: { description: 'Contracts', schema: z.array(CarrierContract) } },
  async handle(deps, { companyId }) {
    const contracts = await listContracts(deps, companyId);
    return {
      status: 200,
      body: contracts.map(({ contract, carrier, outage, isCarrierAway }) => ({
        id: contract.id,
        companyId: String(contract.companyId),
        label: contract.label,
        configFields: contract.configFields,
        billingImportConfig: contract.billingImportConfig,
        createdAt: iso(contract.createdAt),
        updatedAt: iso(contract.updatedAt),
        deleteFlag: contract.deleteFlag,
        isConnected: contract.isConnected,
        isPartner: contract.isPartner,
        supportCod: contract.supportCod,
        supportInsurance: contract.supportInsurance,
        idPartner: contract.idPartner,
        maxWeight: contract.maxWeightGrams === null ? null : String(contract.maxWeightGrams / 1000),
        coefficient: contract.coefficient,
        defaultCodPaymentType: contract.defaultCodPaymentType,
        carrier: carrierBody(carrier, deps.settings.publicUrl),
        outage:
          outage?.since == null
            ? null
            : {
                since: iso(outage.since),
                nextPollAt: iso(outage.nextProbeAt),
                silent: isCarrierAway ? ('carrier' as const) : ('contract' as const),
              },
      })),
    };
  },
});
