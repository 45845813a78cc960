const KEPT = 'smista.company';

/** The company that a person of the whole installation works for; null: the only one. */
export const company = {
  value: localStorage.getItem(KEPT),
  choose(key: string | null): void {
    company.value = key;
    if (key === null) localStorage.removeItem(KEPT);
    else localStorage.setItem(KEPT, key);
  },
};
