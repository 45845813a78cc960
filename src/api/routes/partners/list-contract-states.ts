import { z } from 'zod';
import {
  type ContractState,
  type ListHead,
  readContractStates,
} from '../../../usecases/overview/read-contract-states.ts';
import { iso } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { checkBody } from './check-body.ts';
import { ContractState as Schema } from './schemas.ts';

export const listContractStatesRoute = defineRoute({
  method: 'get',
  scope: 'partners:read',
  isQueryStrict: true,
  path: '/carriers/state',
  tag: 'Carriers',
  summary: 'List the state of carrier contracts',
  description:
    'An addition to the contract: whether each carrier answers, what the last check of its credentials said, its budget of polls, its services and the price list in force.',
  responses: { 200: { description: 'One element per contract', schema: z.array(Schema) } },
  async handle(deps, { companyId }) {
    return { status: 200, body: (await readContractStates(deps, companyId)).map(stateBody) };
  },
});

function stateBody(state: ContractState) {
  const { contract, carrier, health, pollBudget, lastCheck, services, tariff } = state;
  const { calls = 0, failures = 0 } = health ?? {};
  return {
    carrierCompanyId: contract.id,
    contractLabel: contract.label,
    carrier: { id: carrier.id, code: carrier.code, name: carrier.name },
    isConnected: contract.isConnected,
    outage: outageBody(state),
    isVerifiable: state.isVerifiable,
    lastCheck: lastCheck && checkBody(contract.id, lastCheck),
    lastHour: {
      ...{ calls, failures },
      succeeded: calls === 0 ? null : (calls - failures) / calls,
      p50Ms: health?.p50Ms ?? null,
      p95Ms: health?.p95Ms ?? null,
    },
    polls: pollBudget && {
      used: health?.pollBudgetUsed ?? 0,
      capacity: pollBudget.capacity,
      perMinute: pollBudget.perSecond * 60,
    },
    services: services.map(({ code, name }) => ({ code, name })),
    tariff: tariff && { key: tariff.key, inForce: headBody(tariff.inForce), next: headBody(tariff.next) },
  };
}

function outageBody({ outage, isCarrierAway }: ContractState) {
  if (outage?.since == null) return null;
  return {
    since: iso(outage.since),
    nextPollAt: iso(outage.nextProbeAt),
    silent: isCarrierAway ? ('carrier' as const) : ('contract' as const),
    error: outage.lastError,
  };
}

function headBody(head: ListHead | null) {
  if (head === null) return null;
  const { name, from, to, zones, prices } = head;
  return { name, from: from === '' ? null : from, to, zones, prices };
}
