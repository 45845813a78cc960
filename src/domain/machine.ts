/** The allowed next statuses of each status. A status that may follow itself must say so. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** Returns every status from which `to` may be reached: the WHERE of the conditional UPDATE that sets it. */
export function statusesBefore<Status extends string>(transitions: Transitions<Status>, to: Status): Status[] {
  return (Object.keys(transitions) as Status[]).filter((from) => transitions[from].includes(to));
}
