/** The type of a row that a TypeORM source presents: JSON forms of an entity's properties. */

/**
 * A row of an entity in a result of `runQuery`: dates, 64-bit integers and bytes are strings, relations and embedded
 * entities are rows. The projection of the request decides which properties a row has, so all of them are optional.
 */
export type TypeormRow<Entity> = {
  -readonly [
    Property in keyof Entity as Entity[Property] extends (...args: never[]) => unknown
      ? never
      : Property
  ]?: JsonOf<Entity[Property]> | AbsentIn<Entity[Property]>;
};

/** A value that is `undefined` in an entity is `null` in JSON; a list is never null. */
type AbsentIn<T> = undefined extends T ? (T extends readonly unknown[] ? never : null) : never;

type IsAny<T> = 0 extends 1 & T ? true : false;

/** The JSON form of a property's value. */
export type JsonOf<T> =
  IsAny<T> extends true
    ? unknown
    : T extends string | number | boolean | null | undefined
      ? T
      : T extends Date | bigint | Uint8Array
        ? string
        : T extends Promise<infer Loaded>
          ? JsonOf<Loaded>
          : T extends readonly (infer Item)[]
            ? JsonOf<Item>[]
            : T extends object
              ? TypeormRow<T>
              : T;
