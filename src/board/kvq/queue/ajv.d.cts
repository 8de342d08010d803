/** The types of `ajv.cjs`. */

/** Loads Ajv. */
export declare function loadAjv(): Pick<typeof import('ajv/dist/2020.js'), 'Ajv2020'> &
  Pick<typeof import('ajv/dist/2019.js'), 'Ajv2019'> & {
    readonly Ajv4: typeof import('ajv-draft-04').default;
    readonly addFormats: typeof import('ajv-formats').default.default;
    /** Those of drafts 6 and 7. */
    readonly metaSchemas: readonly object[];
  };
