/** Remembers the results of a function by its arguments. */

interface Kept<Made> {
  readonly byObject: WeakMap<object, Kept<Made>>;
  readonly byValue: Map<unknown, Kept<Made>>;
  made?: { readonly value: Made };
}

/** The part of both maps that is used. */
interface Store<Value> {
  get(key: unknown): Value | undefined;
  set(key: unknown, value: Value): unknown;
}

const nothing = <Made>(): Kept<Made> => ({ byObject: new WeakMap(), byValue: new Map() });

/**
 * A function that calls `make` once for each list of arguments, and returns its result again afterwards. It keeps no
 * object alive that is an argument. If `make` throws, it is called again.
 */
export function oncePer<Given extends readonly unknown[], Made>(
  make: (...given: Given) => Made,
): (...given: Given) => Made {
  const root = nothing<Made>();
  return (...given) => {
    let kept = root;
    for (const key of given) {
      const isHeldWeakly = (typeof key === 'object' && key !== null) || typeof key === 'function';
      const store: Store<Kept<Made>> = isHeldWeakly ? kept.byObject : kept.byValue;
      let next = store.get(key);
      if (!next) store.set(key, (next = nothing()));
      kept = next;
    }
    kept.made ??= { value: make(...given) };
    return kept.made.value;
  };
}
