// A lifecycle is a table: event -> from -> to. The guard, availableActions, disabled buttons and the printed matrix all use this one table.
export interface Transition<State extends string, Event extends string> {
  on: Event;
  from: readonly State[];
  to: State;
}

export type Lifecycle<State extends string, Event extends string> = readonly Transition<State, Event>[];

/** The state after an event; undefined when the event has no effect in this state (it is late or repeated). */
export const next = <S extends string, E extends string>(table: Lifecycle<S, E>, state: S, event: E): S | undefined =>
  table.find((row) => row.on === event && row.from.includes(state))?.to;
