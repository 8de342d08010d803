/** Ajv of all drafts, as one module, which the build makes one file with the packages in it. */

exports.Ajv2020 = require('ajv/dist/2020.js').Ajv2020;
exports.Ajv2019 = require('ajv/dist/2019.js').Ajv2019;
exports.Ajv4 = require('ajv-draft-04').default;
exports.addFormats = require('ajv-formats').default;
exports.metaSchemas = [
  require('ajv/dist/refs/json-schema-draft-06.json'),
  require('ajv/dist/refs/json-schema-draft-07.json'),
];
