/** The parser of `sluice init`. CommonJS and a file of its own, so that the package has it once and minified. */

exports.parse = (...args) => require('@babel/parser').parse(...args);
