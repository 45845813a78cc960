import { type Command, InvalidArgumentError } from 'commander';
import type { Deps } from '../engine/deps.ts';
import type { ReadPatch } from '../usecases/corrections/correct-order.ts';
import type { JudgeOrder } from '../usecases/imports/import-order-sheet.ts';
import { asUsage, positiveNumber } from './arguments.ts';
import { importOrdersCommand } from './import-orders.ts';
import type { WithCore, WithDatabase } from './with-core.ts';

/** Options of `edit`, and the members of the order that they change. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  name: ['shipping', 'full_name'],
  company: ['shipping', 'company'],
  phone: ['shipping', 'phone'],
  address: ['shipping', 'address'],
  address2: ['shipping', 'address2'],
  city: ['shipping', 'city'],
  province: ['shipping', 'province'],
  zip: ['shipping', 'zip'],
  email: ['customer', 'email'],
  note: ['note'],
  cod: ['cod_amount'],
};

interface EditOptions extends Partial<Record<string, string | number | boolean>> {
  rebook?: boolean;
}

/** The rules of order creation. */
export interface OrderRules {
  readPatch: ReadPatch;
  judgeOrder: JudgeOrder;
}

/**
 * Adds `smista orders …`: imports orders of a sheet; corrects, cancels and reopens one order of any company. `loadRules`
 * loads the rules of order creation, which other commands do not need.
 */
export function orderCommands(
  program: Command,
  { withCore, withDatabase }: { withCore: WithCore; withDatabase: WithDatabase },
  loadRules: () => Promise<OrderRules>,
): void {
  const orders = program.command('orders').description('import, correct, cancel and reopen orders');
  importOrdersCommand(orders, withDatabase, async () => (await loadRules()).judgeOrder);
  orders
    .command('edit')
    .description('correct an order; an order with a label needs --rebook')
    .argument('<id>', 'of the order', positiveNumber)
    .option('--name <text>', 'recipient')
    .option('--company <text>', "recipient's company")
    .option('--phone <text>', "recipient's phone")
    .option('--address <text>', 'street and number')
    .option('--address2 <text>', 'staircase, floor')
    .option('--city <text>')
    .option('--province <text>', 'two letters or the name')
    .option('--zip <text>', 'postal code')
    .option('--email <text>', "the customer's")
    .option('--note <text>', 'for the courier')
    .option('--cod <amount>', 'cash on delivery', amount)
    .option('--rebook', 'cancel the label that the order has, and buy another')
    .action(async (id: number, { rebook = false, ...options }: EditOptions) => {
      const { correctOrder } = await import('../usecases/corrections/correct-order.ts');
      const { findOrder } = await import('../usecases/orders/read-orders.ts');
      await withCore({}, async ({ deps }) => {
        const { view, company } = await findOrder(deps, id).catch(asUsage);
        const { readPatch } = await loadRules();
        const wanted = judged(() => readPatch(view, patchOf(options), company.settings.pricesIncludeVat));
        if (wanted.changed.length === 0) return console.log('Nothing changes.');
        const { companyId, revision } = view.order;
        const input = { companyId, requestId: 'command-line', orderId: id, revision, rebook, ...wanted };
        const correctionId = await correctOrder(deps, input).catch(asUsage);
        console.log(await outcome(deps, { companyId, correctionId, done: 'Corrected.' }));
      });
    });
  orders
    .command('cancel')
    .description('cancel an order, with its labels')
    .argument('<id>', 'of the order', positiveNumber)
    .option('--reason <text>', 'why, for the record', shortText, '')
    .action(async (orderId: number, { reason }: { reason: string }) => {
      const { cancelOrder } = await import('../usecases/corrections/cancel-order.ts');
      const { findOrder } = await import('../usecases/orders/read-orders.ts');
      await withCore({}, async ({ deps }) => {
        const { companyId } = (await findOrder(deps, orderId).catch(asUsage)).view.order;
        const input = { companyId, requestId: 'command-line', orderId, reason };
        const correctionId = await cancelOrder(deps, input).catch(asUsage);
        console.log(await outcome(deps, { companyId, correctionId, done: 'Cancelled.' }));
      });
    });
  orders
    .command('reopen')
    .description('take back the cancellation of an order')
    .argument('<id>', 'of the order', positiveNumber)
    .action(async (orderId: number) => {
      const { reopenOrder } = await import('../usecases/corrections/cancel-order.ts');
      const { findOrder } = await import('../usecases/orders/read-orders.ts');
      await withCore({}, async ({ deps }) => {
        const { companyId } = (await findOrder(deps, orderId).catch(asUsage)).view.order;
        await reopenOrder(deps, { companyId, requestId: 'command-line', orderId }).catch(asUsage);
        console.log('Open.');
      });
    });
}

function amount(text: string): number {
  if (!/^\d+(\.\d{1,2})?$/.test(text)) throw new InvalidArgumentError('It must be an amount such as 30.50.');
  return Number(text);
}

function shortText(text: string): string {
  if (text.length > 250) throw new InvalidArgumentError('It must not be longer than 250 characters.');
  return text.trim();
}

/** Builds the merge patch of the options that are given. */
function patchOf(options: EditOptions): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const [option, value] of Object.entries(options)) {
    const [member = '', field] = MEMBERS[option] ?? [];
    patch[member] = field === undefined ? value : { ...(patch[member] as object | undefined), [field]: value };
  }
  return patch;
}

function judged<Result>(judge: () => Result): Result {
  try {
    return judge();
  } catch (error) {
    return asUsage(error);
  }
}

async function outcome(
  deps: Deps,
  { companyId, correctionId, done }: { companyId: number; correctionId: number | null; done: string },
): Promise<string> {
  if (correctionId === null) return done;
  const { readCorrection } = await import('../usecases/corrections/correct-order.ts');
  const { operationId } = await readCorrection(deps, { companyId, id: correctionId });
  return operationId === null ? done : `Queued as operation ${operationId}: the workers carry it out.`;
}
