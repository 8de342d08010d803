/** The parts of the source that Stryker changes, with the tests that it runs, and the least score in percent. */

interface Part {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
  readonly least: number;
  /** Changes that the part leaves out. Default: none. */
  readonly leftOut?: readonly string[];
}

/** Messages, which tests quote in part. */
const messages = ['StringLiteral'];

export const parts: Readonly<Record<string, Part>> = {
  lib: { mutate: ['src/lib/**/*.ts'], tests: ['test/unit/**'], least: 60 },
  schema: { mutate: ['src/schema/**/*.ts'], tests: ['test/unit/**'], least: 60 },
  rules: {
    mutate: ['src/rules/**/*.ts'],
    tests: ['test/unit/**', 'test/client/**', 'test/hostile/**'],
    least: 60,
  },
  auth: { mutate: ['src/auth/**/*.ts'], tests: ['test/auth/**', 'test/unit/**'], least: 60 },
  core: {
    mutate: ['src/board/core/**/*.ts', '!src/**/*.generated.ts'],
    tests: ['test/board/core/**', 'test/board/contract/**', 'test/unit/**'],
    least: 60,
  },
  drizzle: {
    mutate: ['src/adapters/drizzle/**/*.ts'],
    tests: ['test/drizzle/**', 'test/unit/adapters/drizzle/**'],
    least: 60,
    leftOut: messages,
  },
  typeorm: {
    mutate: ['src/adapters/typeorm/**/*.ts'],
    tests: ['test/typeorm/**'],
    least: 80,
    leftOut: messages,
  },
  prisma: {
    mutate: ['src/adapters/prisma/**/*.ts'],
    tests: ['test/prisma/**'],
    least: 60,
    leftOut: messages,
  },
  sql: {
    // Executors are tested on servers, which takes a second or more for each change.
    mutate: ['src/adapters/sql/*.ts'],
    tests: ['test/sql/**'],
    least: 75,
    leftOut: messages,
  },
};

/** The part that the run has chosen. */
export function chosenPart(): Part {
  const name = process.env['SLUICE_PART'] ?? '';
  const part = parts[name];
  if (!part) throw new Error(`SLUICE_PART must be one of ${Object.keys(parts).join(', ')}.`);
  return part;
}
