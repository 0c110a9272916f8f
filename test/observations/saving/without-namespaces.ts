// A store as it is over a database made before there were namespaces.
import type { ObservationStore } from "../../../src/observations/observation-store.ts";

export function withoutNamespaces(store: ObservationStore): ObservationStore {
  return {
    ...store,
    read: (work) => store.read((rows) => work({ ...rows, hasNamespaces: false })),
    write: (work) => store.write((rows) => work({ ...rows, hasNamespaces: false })),
  };
}
