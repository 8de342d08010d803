/** Which options there are, and what type each has. A name that is misspelled must not open the board. */

type Type = 'string' | 'boolean' | 'number' | 'function' | 'object' | 'text or list';

type Keys = Readonly<Record<string, Type>>;

const common: Keys = {
  strategy: 'string',
  publicUrl: 'string',
  trustProxy: 'boolean',
  onAuthenticated: 'function',
  onError: 'function',
  cookie: 'object',
};

const tables = new Map<unknown, Keys>([
  [
    'oidc',
    {
      ...common,
      url: 'string',
      realm: 'string',
      clientId: 'string',
      clientSecret: 'string',
      requiredRoles: 'object',
      scope: 'string',
      audience: 'text or list',
      clockToleranceSeconds: 'number',
      bearerOnly: 'boolean',
      allowInsecureRequests: 'boolean',
    },
  ],
  [
    'token',
    { ...common, tokens: 'object', validate: 'function', header: 'string', user: 'object' },
  ],
  ['cookie', { secret: 'string', name: 'string', secure: 'boolean', maxAgeSeconds: 'number' }],
]);

/** The options of a strategy, or of `cookie`. */
export function knownKeys(name: unknown): Keys | undefined {
  return tables.get(name);
}

/** Holds every option that is given against its name and type. `undefined` counts as not given. */
export function checkKeys(
  options: object,
  keys: Keys,
  refuse: (option: string, rule: string) => never,
  prefix = '',
): void {
  for (const [key, value] of Object.entries(options) as [string, unknown][]) {
    const name = `\`${prefix}${key}\``;
    const type = Object.hasOwn(keys, key) ? keys[key] : refuse(name, 'is not an option');
    if (value === undefined) continue;
    const good =
      type === 'text or list'
        ? typeof value === 'string' || Array.isArray(value)
        : typeof value === type && value !== null;
    if (!good) refuse(name, type === 'object' ? 'has the wrong form' : `must be a ${type}`);
  }
}
