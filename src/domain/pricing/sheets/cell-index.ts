import type { CellPlace } from './sheet.ts';

/** Maps paths of a price list to cells, to show where a problem is in the file. */
export class CellIndex {
  private readonly places = new Map<string, CellPlace>();

  set(path: readonly PropertyKey[], at: CellPlace): void {
    this.places.set(keyOf(path), at);
  }

  /** Sets the cell, unless it is already known. */
  setOnce(path: readonly PropertyKey[], at: CellPlace): void {
    const key = keyOf(path);
    if (!this.places.has(key)) this.places.set(key, at);
  }

  /** Returns the cell of a path, or of its nearest ancestor that has one. */
  find(path: readonly PropertyKey[]): CellPlace | null {
    for (let length = path.length; length >= 0; length -= 1) {
      const at = this.places.get(keyOf(path.slice(0, length)));
      if (at) return at;
    }
    return null;
  }
}

function keyOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('/');
}
