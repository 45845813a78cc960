import type { CellPlace } from './sheet.ts';

/** Which cell holds what of a price list, to say where a problem of the list is in its file. */
export class CellIndex {
  private readonly places = new Map<string, CellPlace>();

  set(path: readonly PropertyKey[], at: CellPlace): void {
    this.places.set(keyOf(path), at);
  }

  /** As `set`, unless it is known already. */
  setOnce(path: readonly PropertyKey[], at: CellPlace): void {
    const key = keyOf(path);
    if (!this.places.has(key)) this.places.set(key, at);
  }

  /** The cell of a path, or of the nearest thing around it that has one. */
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
