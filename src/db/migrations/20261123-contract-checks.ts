import { Migration } from '@mikro-orm/migrations';

const KINDS = `'create', 'transmit', 'cancel', 'release', 'send', 'check-address', 'pickup-points', 'live-rates', 'book-pickup', 'cancel-pickup', 'poll', 'correct', 'cancel-order', 'verify', 'import', 'test-endpoint', 'verify-contract'`;

/** Checks of carrier contracts on demand. */
export class ContractChecks20261123 extends Migration {
  override up(): void {
    for (const table of ['operations', 'operation_items']) {
      this.addSql(`alter table "${table}" drop constraint "${table}_kind_check";`);
      this.addSql(`alter table "${table}" add constraint "${table}_kind_check" check ("kind" in (${KINDS}));`);
    }
    this.addSql(
      `create index operation_items_contract_checks on operation_items (company_id, contract_id, id) where kind = 'verify-contract';`,
    );
  }
}
