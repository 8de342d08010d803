/**
 * Loads Ajv of all drafts with the first schema. CommonJS, because a `require` is the one way to load a module late, at
 * once and where bundlers see it.
 */

exports.loadAjv = () => require('./ajv-drafts.cjs');
