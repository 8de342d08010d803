/** The rows of the hostile suite: few, so that nearly every request answers at once. */

import { foldText, portableOrderKey } from '../../src/index.ts';
import type { FieldDescriptor } from '../../src/index.ts';

/** Members of `person.role`. */
export const roles = ['admin', 'member', 'guest'] as const;

const code: FieldDescriptor = { path: 'code', kind: 'uuid', nullable: false, primaryKey: false };
const role: FieldDescriptor = {
  path: 'role',
  kind: 'enum',
  nullable: false,
  primaryKey: false,
  enumValues: roles,
};

const names = [
  'Ada',
  'Łukasz',
  '100% Zoë',
  'back\\slash',
  "O'Hara; --",
  '文子',
  'under_score',
  ' blank ',
];

/** Rows of `person`, by property. `visits` is a `bigint`. */
export const people = names.map((name, index) => {
  const id = index + 1;
  const uuid = `0000000${id}-0000-4000-8000-00000000000${id}`;
  const member = roles[index % roles.length] ?? 'guest';
  return {
    id,
    name,
    nameFolded: foldText(name),
    nick: index % 2 === 0 ? name.slice(0, 2) : null,
    code: uuid,
    codeOrder: portableOrderKey(code, uuid),
    role: member,
    roleFolded: foldText(member),
    roleOrder: portableOrderKey(role, member),
    age: index % 3 === 0 ? null : 20 + index,
    visits: BigInt(index) * 1_000_000_000n,
    balance: `${index}.25`,
    active: index % 2 === 0,
    born: index % 4 === 0 ? null : `199${index}-02-0${id}`,
    seenAt: index % 4 === 1 ? null : new Date(Date.UTC(2024, index, id)),
    extra: index % 2 === 0 ? { tags: [name] } : null,
    secret: `secret of ${id}`,
    firmId: index % 3 === 2 ? null : (index % 3) + 1,
  };
});

/** Rows of `firm`. */
export const firms = ['Zenith', 'Äther & Söhne'].map((name, index) => ({
  id: index + 1,
  name,
  nameFolded: foldText(name),
}));

/** Rows of `note`. */
export const notes = Array.from({ length: 12 }, (_, index) => {
  const text = `Note ${index} on ${names[index % names.length]}`;
  return { id: index + 1, text, textFolded: foldText(text), personId: (index % 5) + 1 };
});

/** Rows of `label`, and who has which. */
export const labels = ['red', 'green'].map((word, index) => ({ id: index + 1, word }));
export const personLabels = [1, 2, 3, 4].flatMap((personId) =>
  labels.slice(0, personId % 3).map((label) => ({ personId, labelId: label.id })),
);
