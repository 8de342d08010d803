/** Stands for the check of a schema's types in the build for browsers; the server has checked it at its boot. */

export function assertSchemaForm(): void {}
