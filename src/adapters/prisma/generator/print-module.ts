/** Prints a description as a TypeScript module, formatted as the usual formatters would leave it. */

import type { PrismaDescription } from '../description.ts';

const lineWidth = 100;

const identifier = /^[A-Za-z_$][\w$]*$/;

function quoted(text: string): string {
  const body = JSON.stringify(text).slice(1, -1);
  return text.includes("'") ? `"${body}"` : `'${body.replaceAll('\\"', '"')}'`;
}

/** A value on one line, or broken where the line would be too long. `used` is what stands around it. */
function print(value: unknown, indent: string, used: number): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const members: readonly (readonly [string, unknown])[] = isList
    ? value.map((member) => ['', member] as const)
    : Object.entries(value).map(([key, member]) => {
        return [`${identifier.test(key) ? key : quoted(key)}: `, member] as const;
      });
  const [open, close] = isList ? '[]' : '{}';
  if (members.length === 0) return `${open}${close}`;
  const inline = members.map(([key, member]) => key + print(member, '', -Infinity)).join(', ');
  const space = isList ? '' : ' ';
  const whole = `${open}${space}${inline}${space}${close}`;
  if (indent.length + used + whole.length <= lineWidth) return whole;
  const inner = `${indent}  `;
  const lines = members.map(
    ([key, member]) => `${inner}${key}${print(member, inner, key.length + 1)},\n`,
  );
  return `${open}\n${lines.join('')}${indent}${close}`;
}

/** The text of the module. Equal descriptions give equal texts. */
export function printModule(description: PrismaDescription, importFrom: string): string {
  return `/** What lists know of the models of the Prisma schema. Written by sluice-prisma; edit the schema instead. */

import { prismaRegistry } from ${quoted(importFrom)};

export const registry = prismaRegistry(${print(description, '', Infinity)});
`;
}
