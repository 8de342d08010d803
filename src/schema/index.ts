/** Public interface of `src/schema`: query schemas, the registry, field kinds and errors. */

export type {
  ArrayKind,
  ComputedKind,
  FieldDescriptor,
  FieldExpression,
  FieldKind,
  ItemKind,
  JsonPathKind,
  JsonPaths,
  ModelShape,
  QuerySchema,
  RegistryShape,
  RelationDescriptor,
  RelationShape,
  SchemaRegistry,
  SkippedPart,
} from './types.ts';
export type { JsonForm, JsonForms } from './json-forms.ts';
export type { ShapeOf } from './shape.ts';
export { QueryError, configurationError, queryErrorStatus } from './query-error.ts';
export type {
  QueryErrorCode,
  QueryErrorDetails,
  QueryErrorEnvelope,
  QueryErrorOf,
} from './query-error.ts';
export type {
  ConfigurationDetails,
  ConfigurationProblem,
  ProfileRule,
  ProfileViolation,
  QueryErrorDetailsByCode,
  SourceDifference,
  SourceRule,
} from './query-error-details.ts';
export {
  arrayOf,
  coerceBoolean,
  comparedKind,
  decimalToText,
  fieldKindRow,
  isArrayKind,
  isStorableText,
  kindRow,
  kinds,
} from './kinds/index.ts';
export type { CanonicalValue, KindRow, OpaqueKind, TextualKind } from './kinds/index.ts';
export { checkConfiguration } from './check-configuration.ts';
export { databaseFamilies, familiesRow, inFamilies, nullsOf, registryOptions } from './families.ts';
export type { DatabaseFamily, RegistryOptions } from './families.ts';
export {
  type FieldOverride,
  fieldOverrideTable,
  jsonPathsRow,
  schemaTable,
} from './schema-form.ts';
export { baseOf, withComputedFields } from './computed-fields.ts';
export type { ComputedField, ComputedFields, WithComputedFields } from './computed-fields.ts';
export { expressionOf, partsOf } from './expressions.ts';
export { defineQuerySchema } from './define-query-schema.ts';
export { defineSchemaRegistry, companionRoles } from './define-schema-registry.ts';
export { Refusals, unknownModel } from './refusals.ts';
export { isHeldInJson, isJsonMember, isJsonPath, jsonMember, jsonPathKinds } from './json-paths.ts';
export { fieldNamed, relationNamed } from './schema-lookup.ts';
export { portableOrderKey, finalSigma, foldText } from './companion-values.ts';
