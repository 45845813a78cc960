import { defineEntity, p } from '@mikro-orm/core';
import { companyFilter } from './columns.ts';
import { Company } from './company.ts';

const SearchWordSchema = defineEntity({
  name: 'SearchWord',
  tableName: 'search_words',
  filters: companyFilter,
  indexes: [
    {
      name: 'search_words_prefix',
      expression: 'create index search_words_prefix on search_words (company_id, word text_pattern_ops)',
    },
    {
      name: 'search_words_similar',
      expression: 'create index search_words_similar on search_words using gin (word gin_trgm_ops)',
    },
  ],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    word: p.text(),
  },
});
/** A word of a name, as triggers collect them. Misspelt words are compared with these instead of with all names. */
export class SearchWord extends SearchWordSchema.class {}
SearchWordSchema.setClass(SearchWord);
