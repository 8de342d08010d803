/**
 * Ajv of all drafts, loaded with the first schema. CommonJS, because a `require` is the one way to load a package late,
 * at once and where bundlers see it.
 */

exports.loadAjv = () => ({
  Ajv2020: require('ajv/dist/2020.js').Ajv2020,
  Ajv2019: require('ajv/dist/2019.js').Ajv2019,
  Ajv4: require('ajv-draft-04').default,
  addFormats: require('ajv-formats').default,
  metaSchemas: [
    require('ajv/dist/refs/json-schema-draft-06.json'),
    require('ajv/dist/refs/json-schema-draft-07.json'),
  ],
});
