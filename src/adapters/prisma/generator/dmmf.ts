/** The part of Prisma's data model (DMMF) that the generator reads, and the errors that refer to it. */

/** A field of a model, or one side of a relation. */
export interface DmmfField {
  readonly name: string;
  readonly dbName?: string | null;
  readonly kind: 'scalar' | 'object' | 'enum' | 'unsupported';
  readonly type: string;
  readonly isList: boolean;
  readonly isRequired: boolean;
  readonly isId: boolean;
  readonly isUnique: boolean;
  readonly nativeType?: readonly [name: string, parameters: readonly string[]] | null;
  readonly relationName?: string | null;
  readonly relationFromFields?: readonly string[] | null;
  readonly relationToFields?: readonly string[] | null;
  readonly documentation?: string;
}

export interface DmmfModel {
  readonly name: string;
  readonly dbName: string | null;
  readonly schema?: string | null;
  readonly fields: readonly DmmfField[];
  readonly primaryKey: { readonly fields: readonly string[] } | null;
  readonly uniqueFields: readonly (readonly string[])[];
  readonly documentation?: string;
}

export interface DmmfEnum {
  readonly name: string;
  readonly dbName?: string | null;
  readonly values: readonly { readonly name: string; readonly dbName: string | null }[];
  readonly documentation?: string;
}

/** The data model of a schema. */
export interface Datamodel {
  readonly models: readonly DmmfModel[];
  readonly enums: readonly DmmfEnum[];
}

/** The reason why the registry cannot be generated; names the model or field and the remedy. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

/** Refuses a model, or a field of it. */
export function refuse(model: string, field: string | null, message: string): never {
  throw new SchemaError(`${model}${field === null ? '' : `.${field}`}: ${message}`);
}

export const columnOf = (field: DmmfField): string => field.dbName ?? field.name;

export const tableOf = (model: DmmfModel): string => model.dbName ?? model.name;

/** The field of a model by name. */
export function fieldNamed(model: DmmfModel, name: string): DmmfField {
  const field = model.fields.find((candidate) => candidate.name === name);
  return field ?? refuse(model.name, name, 'the field does not exist.');
}

/** The client's name of a model's delegate, which is also the name of the model in lists. */
export const delegateOf = (name: string): string => name.slice(0, 1).toLowerCase() + name.slice(1);
