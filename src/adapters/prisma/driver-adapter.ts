/** Driver adapters with some of their members replaced. */

/** The factory from which Prisma creates connections. */
export interface AdapterFactory {
  connect(...args: never): Promise<object>;
}

/** The object with some of its members replaced; its own methods run on the original, so that private members work. */
export function overlaid<T extends object>(
  target: T,
  members: { readonly [key: PropertyKey]: unknown },
): T {
  return new Proxy(target, {
    get: (_target, key) => {
      if (Object.hasOwn(members, key)) return members[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
