/** Which options there are, and what type each has. A name that is misspelled must not open the board. */

type Type = 'string' | 'boolean' | 'number' | 'function' | 'object' | 'list' | 'text or list';

type Keys = Readonly<Record<string, Type>>;

const common: Keys = {
  strategy: 'string',
  publicUrl: 'string',
  trustProxy: 'boolean',
  onAuthenticated: 'function',
  onError: 'function',
  cookie: 'object',
};

const strategies = new Map<unknown, Keys>([
  [
    'oidc',
    {
      ...common,
      url: 'string',
      realm: 'string',
      clientId: 'string',
      clientSecret: 'string',
      requiredRoles: 'list',
      scope: 'string',
      audience: 'text or list',
      clockToleranceSeconds: 'number',
      bearerOnly: 'boolean',
      allowInsecureRequests: 'boolean',
    },
  ],
  ['token', { ...common, tokens: 'list', validate: 'function', header: 'string', user: 'object' }],
]);

export const cookieKeys: Keys = {
  secret: 'string',
  name: 'string',
  secure: 'boolean',
  maxAgeSeconds: 'number',
};

export const userKeys: Keys = {
  username: 'string',
  name: 'string',
  email: 'string',
  roles: 'list',
};

export const mountKeys: Keys = { basePath: 'string' };

/** The options of a strategy. */
export function knownKeys(strategy: unknown): Keys | undefined {
  return strategies.get(strategy);
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
    const type = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (type === undefined) return refuse(name, 'is not an option');
    if (value === undefined) continue;
    if (!isOf(type, value)) refuse(name, `must be ${form[type]}`);
  }
}

const form: Readonly<Record<Type, string>> = {
  string: 'a string',
  boolean: 'a boolean',
  number: 'a number',
  function: 'a function',
  object: 'an object',
  list: 'a list',
  'text or list': 'a string or a list',
};

function isOf(type: Type, value: unknown): boolean {
  if (type === 'list') return Array.isArray(value);
  if (type === 'text or list') return typeof value === 'string' || Array.isArray(value);
  return typeof value === type && value !== null && !Array.isArray(value);
}
