/** Refuses options of a form that a compiler would have refused: read leniently, they would show more than was meant. */

interface Form {
  readonly words: string;
  fits(value: unknown): boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const has = (method: string) => (value: unknown) =>
  isObject(value) && isFunction(Reflect.get(value, method));

const forms: { readonly [option: string]: Form } = {
  instance: { words: 'a PgBoss', fits: has('getDb') },
  connection: {
    words: 'a connection string, settings of pg or a pool',
    fits: (value) => isText(value) || isObject(value),
  },
  queues: {
    words: 'a list of names or a function',
    fits: (value) => isFunction(value) || (Array.isArray(value) && value.every(isText)),
  },
  includeInternalQueues: { words: 'true or false', fits: isFlag },
  delimiter: { words: 'a text', fits: isText },
  allowUntestedSchema: { words: 'true or false', fits: isFlag },
  visibilityGuard: { words: 'a function', fits: isFunction },
  library: { words: 'the module pg-boss', fits: has('PgBoss') },
};

/** @throws TypeError naming the first option of another form */
export function checkForms(options: object): void {
  for (const [name, { words, fits }] of Object.entries(forms)) {
    const value: unknown = Reflect.get(options, name);
    if (value !== undefined && !fits(value)) throw new TypeError(`pgq.${name} must be ${words}.`);
  }
}
