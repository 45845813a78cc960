/** One page of a list that is ordered by falling id. */
export interface Page {
  limit: number;
  beforeId: number | null;
}
