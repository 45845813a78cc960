/** Pieces of one line: of an order, or of a part of it. */
export interface Pieces {
  itemId: number;
  quantity: number;
}

/** Returns what is left of lines when others took their pieces; lines without any left are left out. */
export function remainingPieces(lines: readonly Pieces[], taken: readonly Pieces[]): Pieces[] {
  const gone = piecesByItem(taken);
  return lines.flatMap(({ itemId, quantity }) => {
    const left = quantity - (gone.get(itemId) ?? 0);
    return left > 0 ? [{ itemId, quantity: left }] : [];
  });
}

export function piecesByItem(lines: readonly Pieces[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { itemId, quantity } of lines) sums.set(itemId, (sums.get(itemId) ?? 0) + quantity);
  return sums;
}

/** Divides cents in proportion to weights. The shares add up to the total exactly; equal weights count when all are 0. */
export function shareCents(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((before, weight) => before + weight, 0);
  const own = sum > 0 ? weights : weights.map(() => 1);
  const all = sum > 0 ? sum : weights.length;
  let before = 0;
  let given = 0;
  return own.map((weight) => {
    before += weight;
    const share = Math.round((total * before) / all) - given;
    given += share;
    return share;
  });
}
