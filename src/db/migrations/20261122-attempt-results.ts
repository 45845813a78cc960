import { Migration } from '@mikro-orm/migrations';

/** Renames what became of an attempt. Processes of the release before go on reading and writing `outcome`, in its words. */
export class AttemptResults20261122 extends Migration {
  override up(): void {
    this.addSql(`alter table "shipment_attempts" add "result" text not null default 'running';`);
    this.addSql(
      `update shipment_attempts set result = case outcome when 'yes' then 'succeeded' when 'no' then 'failed' when 'nobody_knows' then 'unknown' else outcome end;`,
    );
    this.addSql(
      `alter table "shipment_attempts" add constraint "shipment_attempts_result_check" check ("result" in ('running', 'succeeded', 'failed', 'unknown'));`,
    );
    this.addSql(
      `create function match_attempt_results() returns trigger language plpgsql as $$ begin
        if (tg_op = 'INSERT' and new.outcome <> 'running') or (tg_op = 'UPDATE' and new.outcome <> old.outcome) then
          new.result := case new.outcome when 'yes' then 'succeeded' when 'no' then 'failed' when 'nobody_knows' then 'unknown' else new.outcome end;
        else
          new.outcome := case new.result when 'succeeded' then 'yes' when 'failed' then 'no' when 'unknown' then 'nobody_knows' else new.result end;
        end if;
        return new;
      end $$;`,
    );
    this.addSql(
      `create trigger match_results before insert or update of outcome, result on shipment_attempts for each row execute function match_attempt_results();`,
    );
  }
}
