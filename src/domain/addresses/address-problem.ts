const LACKS = 'The shipping address has no';

/** Returns the problem of an imported order whose address lacks something: `addressProblem('street')`. */
export function addressProblem(what: string): string {
  return `${LACKS} ${what}`;
}

/** Returns the problems that a corrected address does not settle. */
export function withoutAddressProblems(problems: readonly string[]): string[] {
  return problems.filter((problem) => !problem.startsWith(LACKS));
}
